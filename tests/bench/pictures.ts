import { readdirSync, readFileSync } from "node:fs";
import { missingPackage } from "#lib/checks/pictures/engine-state.ts";
import { createEngine, MAX_MEMORY_BYTES, type Engine } from "#lib/checks/pictures/engine.ts";
import { INPUT_SIZE } from "#lib/checks/pictures/models.ts";
import { readPicture } from "#lib/media/decode-picture.ts";
import { renderPicture } from "#tests/simulated-server/pictures.ts";
import type { Row } from "./api-group.ts";

const DRAWN = 16;
/** Pictures at a time, as in the job. */
const AT_ONCE = 16;

/** Decoding, hashing and classifying previews, in the processes of the worker. */
export async function measurePictures(report: (line: string) => void): Promise<Row[]> {
  const missing = missingPackage();
  if (missing !== null) {
    report(`pictures left out: the optional package ${missing} is not installed`);
    return [];
  }
  const previews = await Promise.all(
    Array.from({ length: DRAWN }, (_, n) =>
      renderPicture({
        seed: String(n),
        theme: "garden",
        width: 640,
        height: 420,
        format: "jpeg",
        quality: 80,
      }),
    ),
  );
  const engine = createEngine(MAX_MEMORY_BYTES);
  return [{ name: "pictures", ...(await measure(engine, previews, 200)), aim_rps: 12, aim_child_mb: 450 }];
}

async function measure(engine: Engine, previews: readonly Buffer[], size: number) {
  const before = new Set(engines());
  const check = async (n: number) => {
    const bytes = previews[n % previews.length] ?? Buffer.alloc(0);
    const { pixels } = await readPicture(bytes, INPUT_SIZE);
    await engine(pixels);
  };
  // Starts the processes and loads the models.
  await check(0);
  const [pid] = engines().filter((each) => !before.has(each));
  const cpuBefore = pid === undefined ? 0 : processorTime(pid);
  const begun = performance.now();
  let next = 0;
  const work = async () => {
    while (next < size) await check(next++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const rps = (1000 * size) / (performance.now() - begun);
  const ofChild =
    pid === undefined
      ? {}
      : { child_mb: peakOf(pid) / 1e6, child_cpu_ms: (processorTime(pid) - cpuBefore) / size };
  return { size, clients: AT_ONCE, rps, ...ofChild };
}

/** Engine processes of this process. Linux only. */
function engines(): string[] {
  try {
    return readdirSync("/proc/self/task")
      .flatMap((task) => readFileSync(`/proc/self/task/${task}/children`, "utf8").split(" ").filter(Boolean))
      .filter((pid) => readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("sluice-pictures"));
  } catch {
    return [];
  }
}

/** Milliseconds. The kernel counts in hundredths of a second. */
function processorTime(pid: string): number {
  const [user = "0", system = "0"] =
    readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ").slice(11, 13) ?? [];
  return 10 * (Number(user) + Number(system));
}

/** Bytes. */
function peakOf(pid: string): number {
  return 1024 * Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
}
