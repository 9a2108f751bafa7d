// Calls a running Routecard from TypeScript. The types of all operations are made from the OpenAPI document; here is what programs
// need beside them: requests that are repeated under their key, lists page by page, and events over restarts of the service.
import createClient, { type Client } from "openapi-fetch";
import type { components, paths } from "./routecard.js";

export type Schemas = components["schemas"];

export interface Settings {
  /** Proves who is calling, where the service runs with --auth. */
  token?: string;
  /** For how many milliseconds a request is repeated before the client gives up; two minutes when it is left out. */
  patience?: number;
  /** How many milliseconds one attempt may take until its answer begins; a minute when it is left out. */
  attempt?: number;
  /** Sends one request. */
  fetch?: (request: Request) => Promise<Response>;
}

/** What the service refuses. A request that was refused has changed nothing. */
export class Refused extends Error {
  readonly statusCode: number;
  /** For programs: x-codes at the schema Error lists the codes and says what to do. Empty in the answer of a proxy. */
  readonly code: string;
  readonly field: string | undefined;

  constructor(error: Partial<Schemas["Error"]> | undefined, response: Response) {
    super(error?.message ?? `${response.status} ${response.statusText}`);
    this.name = "Refused";
    this.statusCode = response.status;
    this.code = error?.code ?? "";
    this.field = error?.field;
  }
}

export type Shop = Client<paths>;

const firstWait = 250;
const longestWait = 15_000;
const silence = 30_000;
const again = [429, 500, 502, 503, 504];

/** Makes a client of the service at an address such as https://routecard.example.com. It does not call it. */
export function connect(address: string, settings: Settings = {}): Shop {
  return createClient<paths>({
    baseUrl: address,
    headers: settings.token === undefined ? {} : { Authorization: `Bearer ${settings.token}` },
    fetch: (request: Request) => repeated(request, settings),
  });
}

/** The headers of one change. The change is made once, however often its request is repeated. Without a key of its own, a program
 * that is killed does not know afterwards whether the change was made; with one that it wrote down it calls again. */
export function once(key: string = crypto.randomUUID()) {
  return { header: { "Idempotency-Key": key } };
}

/** What was asked for. It throws Refused when the service refused it. */
export function answer<T>(result: { data?: T; error?: Partial<Schemas["Error"]>; response: Response }): T {
  if (result.data === undefined) {
    throw new Refused(result.error, result.response);
  }
  return result.data;
}

// Sends a request until it is answered for good. One that changes something and has no key is sent once: who knows what came of it.
async function repeated(request: Request, settings: Settings): Promise<Response> {
  const send = settings.fetch ?? fetch;
  const harmless = request.method === "GET" || request.headers.has("Idempotency-Key");
  const ends = performance.now() + (settings.patience ?? 120_000);
  for (let wait = firstWait; ; wait = Math.min(2 * wait, longestWait)) {
    let pause = wait / 2 + (Math.random() * wait) / 2;
    const mayGoOn = () => harmless && !request.signal.aborted && performance.now() + pause <= ends;
    try {
      const response = await attempted(request, send, settings.attempt ?? 60_000);
      const asked = Number(response.headers.get("Retry-After"));
      pause = Math.max(pause, asked > 0 ? asked * 1000 : 0);
      const running = response.status === 409 && (await codeOf(response)) === "idempotency_key_running";
      if (!(running || again.includes(response.status)) || !mayGoOn()) {
        return response;
      }
      await response.body?.cancel();
    } catch (error) {
      if (!mayGoOn()) {
        throw error;
      }
    }
    await slept(pause, request.signal);
  }
}

// Makes one attempt. All but a stream is read to its end, since half an answer is no answer.
async function attempted(request: Request, send: (request: Request) => Promise<Response>, most: number): Promise<Response> {
  const late = new AbortController();
  const alarm = setTimeout(() => late.abort(new Error("the service did not answer in time")), most);
  try {
    const signal = AbortSignal.any([request.signal, late.signal]);
    const response = await send(new Request(request.clone(), { signal }));
    if (response.headers.get("Content-Type")?.startsWith("application/json") !== true) {
      return response;
    }
    const { status, statusText, headers } = response;
    return new Response(await response.arrayBuffer(), { status, statusText, headers });
  } finally {
    clearTimeout(alarm);
  }
}

async function codeOf(response: Response): Promise<string> {
  try {
    return ((await response.clone().json()) as Partial<Schemas["Error"]>).code ?? "";
  } catch {
    return "";
  }
}

function slept(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const ended = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", ended);
      resolve();
    }, milliseconds);
    signal.addEventListener("abort", ended, { once: true });
  });
}

/** Yields the serials that a search finds, newest first or in the order that is asked for, and reads them page by page. */
export async function* eachSerial(
  shop: Shop,
  query: NonNullable<paths["/api/serials/search"]["get"]["parameters"]["query"]> = {},
): AsyncGenerator<Schemas["SerialListItem"]> {
  const { before, ...filters } = query;
  let after = query.after ?? before;
  do {
    const page = answer(
      await shop.GET("/api/serials/search", { params: { query: { limit: 500, ...filters, ...(after === undefined ? {} : { after }) } } }),
    );
    yield* page.items;
    after = page.next;
  } while (after !== undefined);
}

/**
 * Yields the entries of the audit trail as they are stored, behind the one that `after` names. When the connection breaks, or the
 * service is started again, it goes on behind the last one that it yielded: none is missing and none comes twice. It goes on until
 * the signal ends it, or until the service refuses it.
 */
export async function* events(
  address: string,
  after: string,
  settings: Settings & { signal?: AbortSignal; types?: string; jobId?: string; serialId?: string } = {},
): AsyncGenerator<Schemas["AuditEntry"]> {
  const send = settings.fetch ?? fetch;
  const target = new URL(`${address.replace(/\/$/, "")}/api/events`);
  for (const name of ["types", "jobId", "serialId"] as const) {
    const value = settings[name];
    if (value !== undefined) {
      target.searchParams.set(name, value);
    }
  }
  let last = after;
  let wait = firstWait;
  while (settings.signal?.aborted !== true) {
    const broken = new AbortController();
    let alarm = setTimeout(() => broken.abort(), silence);
    try {
      const headers: Record<string, string> = { "Last-Event-ID": last };
      if (settings.token !== undefined) {
        headers["Authorization"] = `Bearer ${settings.token}`;
      }
      const signal = AbortSignal.any([broken.signal, ...(settings.signal === undefined ? [] : [settings.signal])]);
      const response = await send(new Request(target, { headers, signal }));
      if (!response.ok && !again.includes(response.status)) {
        throw new Refused((await response.json().catch(() => undefined)) as Schemas["Error"] | undefined, response);
      }
      for await (const { id, data } of parsed(response)) {
        clearTimeout(alarm);
        alarm = setTimeout(() => broken.abort(), silence);
        wait = firstWait;
        last = id === "" ? last : id;
        if (id !== "" && data !== "") {
          yield JSON.parse(data) as Schemas["AuditEntry"];
        }
      }
    } catch (error) {
      if (error instanceof Refused) {
        throw error;
      }
    } finally {
      clearTimeout(alarm);
      broken.abort();
    }
    await slept(wait, settings.signal ?? new AbortController().signal).catch(() => undefined);
    wait = Math.min(2 * wait, longestWait);
  }
}

// The events of a stream. The service writes the data of each in one line; a heartbeat has no id.
async function* parsed(response: Response): AsyncGenerator<{ id: string; data: string }> {
  if (!response.ok || response.body === null) {
    return;
  }
  let rest = "";
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    const blocks = (rest + text).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const event = { id: "", data: "" };
      for (const line of block.split("\n")) {
        const [, field, value] = /^(id|data): ?(.*)$/.exec(line) ?? [];
        if (field === "id" || field === "data") {
          event[field] = value ?? "";
        }
      }
      yield event;
    }
  }
}
