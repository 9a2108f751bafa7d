// Takes one unit from a new job to completed, through any client. Each other file of this folder makes the calls with the client of
// one generator.

export interface Unit {
  id: string;
  status: string;
  currentStepIndex: number;
}

export interface Calls {
  createJob(key: string, body: { name: string; goalQuantity: number }): Promise<{ id: string }>;
  createPath(
    key: string,
    body: { jobId: string; name: string; goalQuantity: number; steps: { name: string }[] },
  ): Promise<{ id: string }>;
  createSerials(key: string, body: { jobId: string; pathId: string; quantity: number }): Promise<Unit[]>;
  /** Throws what it is refused with. */
  advance(id: string, key: string, body: { expectedStepIndex?: number; userId?: string }): Promise<Unit>;
  /** The message of the service in what advance threw. */
  message(thrown: unknown): string;
}

export async function drive(name: string, calls: Calls): Promise<void> {
  const key = () => crypto.randomUUID();
  const job = await calls.createJob(key(), { name: `Called by ${name}`, goalQuantity: 1 });
  const steps = [{ name: "Mill" }, { name: "Inspect" }];
  const path = await calls.createPath(key(), { jobId: job.id, name: "Main", goalQuantity: 1, steps });
  let [unit] = await calls.createSerials(key(), { jobId: job.id, pathId: path.id, quantity: 1 });
  if (unit === undefined) {
    throw new Error("no unit was made");
  }
  console.log(unit.id, unit.status);
  while (unit.status === "in_progress") {
    const request = { expectedStepIndex: unit.currentStepIndex, userId: name };
    const once = key(); // sent twice, as if the answer had been lost: the change is made once
    const moved: Unit = await calls.advance(unit.id, once, request);
    const again: Unit = await calls.advance(unit.id, once, request);
    if (JSON.stringify(again) !== JSON.stringify(moved)) {
      throw new Error(`the repeated request was answered ${JSON.stringify(again)}`);
    }
    unit = moved;
    console.log(unit.id, unit.status);
  }
  try {
    await calls.advance(unit.id, key(), {});
  } catch (thrown) {
    console.log("one more step:", calls.message(thrown));
    return;
  }
  throw new Error("one more step was taken");
}

export function address(): string {
  const given = process.argv[2];
  if (given === undefined) {
    throw new Error("the address of a service is missing");
  }
  return given;
}
