// Takes one unit from a new job to completed through a client with types that openapi-typescript generated from
// /api/openapi.yaml. The types are not in the repository; docs/api/clients.md says how to generate them.
//
//   node out/main.js http://127.0.0.1:8080
import createClient from "openapi-fetch";
import type { components, paths } from "./routecard.js";

type SerialNumber = components["schemas"]["SerialNumber"];

const address = process.argv[2];
if (address === undefined) {
  throw new Error("usage: node out/main.js http://127.0.0.1:8080");
}
const shop = createClient<paths>({ baseUrl: address });

// The headers of one request that changes a record.
function once() {
  return { header: { "Idempotency-Key": crypto.randomUUID() } };
}

// The result, or the error: all errors have the same schema.
function answer<T>(result: { data?: T; error?: components["schemas"]["Error"] }): T {
  if (result.data === undefined) {
    throw new Error(`${result.error?.statusCode}: ${result.error?.message}`);
  }
  return result.data;
}

// Creates a job, its path of two steps, and one unit on the path.
async function start(): Promise<SerialNumber> {
  const job = answer(
    await shop.POST("/api/jobs", { params: once(), body: { name: "Called from TypeScript", goalQuantity: 1 } }),
  );
  const path = answer(
    await shop.POST("/api/paths", {
      params: once(),
      body: { jobId: job.id, name: "Main", goalQuantity: 1, steps: [{ name: "Mill" }, { name: "Inspect" }] },
    }),
  );
  const [serial] = answer(
    await shop.POST("/api/serials", { params: once(), body: { jobId: job.id, pathId: path.id, quantity: 1 } }),
  );
  if (serial === undefined) {
    throw new Error("no unit was made");
  }
  return serial;
}

// Advances the unit from the step where the caller last saw it. It sends the request a second time, as if the response had
// been lost: with the same key the change is made once, and the second response equals the first.
async function advance(seen: SerialNumber): Promise<SerialNumber> {
  const request = {
    params: { path: { id: seen.id }, ...once() },
    body: { expectedStepIndex: seen.currentStepIndex, userId: "typescript" },
  };
  const first = answer(await shop.POST("/api/serials/{id}/advance", request));
  const again = answer(await shop.POST("/api/serials/{id}/advance", request));
  if (JSON.stringify(again) !== JSON.stringify(first)) {
    throw new Error(`the repeated request was answered ${JSON.stringify(again)}`);
  }
  return first;
}

let serial = await start();
console.log(serial.id, serial.status);
while (serial.status === "in_progress") {
  serial = await advance(serial);
  console.log(serial.id, serial.status);
}

const params = { path: { id: serial.id } };
const card = answer(await shop.GET("/api/serials/{id}", { params }));
if (card.status !== "completed") {
  throw new Error(`${card.id} is ${card.status}`);
}
const late = await shop.POST("/api/serials/{id}/advance", { params, body: {} });
if (late.response.status !== 400 || late.error === undefined) {
  throw new Error(`one more step was answered ${late.response.status}`);
}
console.log("one more step:", late.error.message);
