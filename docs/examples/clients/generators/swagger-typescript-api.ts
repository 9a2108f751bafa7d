import { Api, type HttpResponse } from "./made/swagger-typescript-api/api.js";
import { address, drive } from "./drive.js";

const shop = new Api({ baseUrl: address() }).api;
const once = (key: string) => ({ headers: { "Idempotency-Key": key } });

void drive("swagger-typescript-api", {
  createJob: async (key, body) => (await shop.createJob(body, once(key))).data,
  createPath: async (key, body) => (await shop.createPath(body, once(key))).data,
  createSerials: async (key, body) => (await shop.batchCreateSerials(body, once(key))).data,
  advance: async (id, key, body) => (await shop.advanceSerial(id, body, once(key))).data,
  message: (thrown) => (thrown as HttpResponse<unknown, { message: string }>).error.message,
});
