import { missingPackage } from "#lib/checks/pictures/engine-state.ts";
import { createEngine, MAX_MEMORY_BYTES } from "#lib/checks/pictures/engine.ts";
import { INPUT_SIZE } from "#lib/checks/pictures/models.ts";
import { readPicture } from "#lib/media/decode-picture.ts";
import { renderPicture } from "#tests/simulated-server/pictures.ts";
import type { Row } from "./api-group.ts";

const DRAWN = 16;
const CHECKED = 200;
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
  const check = async (n: number) => {
    const { pixels } = await readPicture(previews[n % previews.length] ?? Buffer.alloc(0), INPUT_SIZE);
    await engine(pixels);
  };
  // Starts the processes and loads the models.
  await check(0);
  const begun = performance.now();
  let next = 0;
  const work = async () => {
    while (next < CHECKED) await check(next++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const rps = (1000 * CHECKED) / (performance.now() - begun);
  return [{ name: "pictures", size: CHECKED, clients: AT_ONCE, rps, aim_rps: 12 }];
}
