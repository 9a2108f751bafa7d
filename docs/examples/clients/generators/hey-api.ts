import { client } from "./made/hey-api/client.gen.js";
import { advanceSerial, batchCreateSerials, createJob, createPath } from "./made/hey-api/sdk.gen.js";
import { address, drive } from "./drive.js";

client.setConfig({ baseUrl: address(), throwOnError: true });
const once = (key: string) => ({ headers: { "Idempotency-Key": key }, throwOnError: true as const });

void drive("hey-api", {
  createJob: async (key, body) => (await createJob({ body, ...once(key) })).data,
  createPath: async (key, body) => (await createPath({ body, ...once(key) })).data,
  createSerials: async (key, body) => (await batchCreateSerials({ body, ...once(key) })).data,
  advance: async (id, key, body) => (await advanceSerial({ path: { id }, body, ...once(key) })).data,
  message: (thrown) => (thrown as { message: string }).message,
});
