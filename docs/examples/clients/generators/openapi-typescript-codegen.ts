import { type ApiError, JobsService, OpenAPI, PathsService, SerialsService } from "./made/openapi-typescript-codegen/index.js";
import { address, drive, type Unit } from "./drive.js";

OpenAPI.BASE = address();

// The types of its methods include Error as a result, but the methods throw it.
void drive("openapi-typescript-codegen", {
  createJob: async (key, body) => (await JobsService.createJob(body, key)) as { id: string },
  createPath: async (key, body) => (await PathsService.createPath(body, key)) as { id: string },
  createSerials: async (key, body) => (await SerialsService.batchCreateSerials(body, key)) as Unit[],
  advance: async (id, key, body) => (await SerialsService.advanceSerial(id, key, undefined, body)) as Unit,
  message: (thrown) => ((thrown as ApiError).body as { message: string }).message,
});
