import { HttpError, ok } from "@oazapfts/runtime";
import * as shop from "./made/oazapfts.js";
import { address, drive } from "./drive.js";

shop.defaults.baseUrl = address();

void drive("oazapfts", {
  createJob: (idempotencyKey, body) => ok(shop.createJob(body, { idempotencyKey })),
  createPath: (idempotencyKey, body) => ok(shop.createPath(body, { idempotencyKey })),
  createSerials: (idempotencyKey, body) => ok(shop.batchCreateSerials(body, { idempotencyKey })),
  advance: (id, idempotencyKey, body) => ok(shop.advanceSerial(id, body, { idempotencyKey })),
  message: (thrown) => (thrown as HttpError).data.message,
});
