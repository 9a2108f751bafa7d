// Tests against a running service, whose address is in ROUTECARD:
//
//   ROUTECARD=http://127.0.0.1:8080 node --test out/
import assert from "node:assert/strict";
import { test } from "node:test";
import { answer, connect, eachSerial, events, once, Refused, type Schemas } from "./index.js";

const address = process.env["ROUTECARD"] ?? "";
if (address === "") {
  throw new Error("ROUTECARD has to be the address of a service");
}

// A line that loses answers: what was asked for is done, and nobody hears of it.
function losing(lost: (count: number) => boolean): { fetch: (request: Request) => Promise<Response>; count: number } {
  const line = {
    count: 0,
    fetch: async (request: Request) => {
      const response = await fetch(request);
      line.count += 1;
      if (lost(line.count)) {
        await response.body?.cancel();
        throw new TypeError("the connection broke");
      }
      return response;
    },
  };
  return line;
}

// A job with a path of two steps and some units.
async function ordered(shop: ReturnType<typeof connect>, quantity: number): Promise<Schemas["SerialNumber"][]> {
  const job = answer(await shop.POST("/api/jobs", { params: once(), body: { name: "Flange", goalQuantity: quantity } }));
  const steps = [{ name: "Turn" }, { name: "Inspect" }];
  const path = answer(
    await shop.POST("/api/paths", { params: once(), body: { jobId: job.id, name: "Main", goalQuantity: quantity, steps } }),
  );
  return answer(await shop.POST("/api/serials", { params: once(), body: { jobId: job.id, pathId: path.id, quantity } }));
}

test("a change is made once on a line that loses answers", async () => {
  const line = losing((count) => count % 2 === 1);
  const shop = connect(address, { fetch: line.fetch });
  const [unit] = await ordered(shop, 1);
  assert.ok(unit);
  const moved = answer(
    await shop.POST("/api/serials/{id}/advance", {
      params: { path: { id: unit.id }, ...once() },
      body: { expectedStepIndex: 0, userId: "typescript" },
    }),
  );
  assert.equal(moved.currentStepIndex, 1);
  assert.equal(line.count, 8);
});

test("a refusal is told and not repeated", async () => {
  const line = losing(() => false);
  const shop = connect(address, { fetch: line.fetch });
  const refused = await shop.POST("/api/jobs", { params: once(), body: { name: "", goalQuantity: 1 } });
  assert.throws(() => answer(refused), (error) => error instanceof Refused && error.statusCode === 400 && error.field === "name");
  assert.equal(line.count, 1);
});

test("a change without a key is sent once", async () => {
  const line = losing(() => true);
  const shop = connect(address, { fetch: line.fetch });
  await assert.rejects(shop.POST("/api/jobs", { body: { name: "Flange", goalQuantity: 1 } }), /the connection broke/);
  assert.equal(line.count, 1);
});

test("patience ends", async () => {
  const line = losing(() => true);
  const shop = connect(address, { fetch: line.fetch, patience: 1000 });
  await assert.rejects(shop.GET("/api/jobs"), /the connection broke/);
  assert.ok(line.count > 1);
});

test("a long list is read page by page", async () => {
  const shop = connect(address);
  const units = await ordered(shop, 5);
  const jobId = units[0]?.jobId ?? "";
  const found: string[] = [];
  for await (const unit of eachSerial(shop, { jobId, limit: 2 })) {
    found.push(unit.id);
  }
  assert.deepEqual(found, units.map((unit) => unit.id).reverse());
});

test("events go on when the stream breaks", { timeout: 60_000 }, async () => {
  const shop = connect(address);
  const [newest] = answer(await shop.GET("/api/audit", { params: { query: { limit: 1 } } }));
  const units = await ordered(shop, 3);
  const heard: string[] = [];
  let streams = 0;
  // Each stream breaks behind its first entry.
  const breaking = async (request: Request) => {
    streams += 1;
    const response = await fetch(request);
    const [first, rest] = [new TextDecoder(), { text: "", over: false }];
    const cut = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        rest.text += first.decode(chunk, { stream: true });
        const end = rest.text.indexOf("\n\n", rest.text.indexOf("data: {"));
        if (!rest.over && rest.text.includes("data: {") && end >= 0) {
          rest.over = true;
          controller.enqueue(new TextEncoder().encode(rest.text.slice(0, end + 2)));
          controller.terminate();
        }
      },
    });
    return new Response(response.body?.pipeThrough(cut) ?? null, { headers: response.headers });
  };
  for await (const entry of events(address, newest?.id ?? "aud_0000000000000000", { fetch: breaking, ...(units[0] && { jobId: units[0].jobId }) })) {
    heard.push(entry.action);
    if (entry.action === "serial_created") {
      break;
    }
  }
  assert.deepEqual(heard, ["job_created", "path_created", "serial_created"]);
  assert.equal(streams, 3);
});
