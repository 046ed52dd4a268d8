import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { explicitThresholds } from "#lib/checks/results/check-names.ts";
import { picturePixels } from "#lib/media/render-picture.ts";
import { createEngine, MAX_MEMORY_BYTES } from "#lib/checks/pictures/engine.ts";
import { INPUT_SIZES, SUSPICIOUS, type PictureModel, type Scores } from "#lib/checks/pictures/model-names.ts";
import { ROOT } from "#tests/architecture/source-files.ts";
import { describeWithModels } from "#tests/setup/models.ts";
import { renderAvatar, renderEmoji, renderPicture } from "#tests/simulated-server/pictures.ts";
import { THEMES } from "#tests/simulated-server/texts.ts";

const SEEDS = 30;

/** All pictures that the project ships or draws. */
function* pictures(): Generator<[string, () => Promise<Uint8Array>]> {
  for (const file of globSync(["public/**/*.{webp,png,jpg}", "app/**/*.{svg,png,ico}"], { cwd: ROOT })) {
    yield [file, () => Promise.resolve(readFileSync(path.join(ROOT, file)))];
  }
  for (let seed = 0; seed < SEEDS; seed++) {
    for (const theme of THEMES) {
      const picture = { seed: `${theme}/${seed}`, theme, width: 640, height: 420, format: "jpeg" } as const;
      yield [`${theme} ${seed}`, () => renderPicture({ ...picture, quality: 60 + seed })];
    }
    yield [`avatar ${seed}`, () => renderAvatar(String(seed))];
    yield [`emoji ${seed}`, () => renderEmoji(String(seed))];
  }
}

describeWithModels("pictures of this project", () => {
  it(
    "are never explicit, neither for the first model nor with the second opinion",
    { timeout: 300_000 },
    async () => {
      const engine = createEngine(MAX_MEMORY_BYTES.both);
      const ask = async (model: PictureModel, bytes: Uint8Array) =>
        explicitOf((await engine({ model, pixels: await picturePixels(bytes, INPUT_SIZES[model]) })).scores);
      const alarms: string[] = [];
      let checked = 0;
      for (const [name, draw] of pictures()) {
        const bytes = await draw();
        const first = await ask("first", bytes);
        checked++;
        if (first >= explicitThresholds.alone) alarms.push(`${name}: ${first} alone`);
        if (first < SUSPICIOUS) continue;
        const both = (first + (await ask("second", bytes))) / 2;
        if (both >= explicitThresholds.withSecond) alarms.push(`${name}: ${both} with both`);
      }
      expect(checked).toBeGreaterThan(200);
      expect(alarms).toEqual([]);
    },
  );
});

function explicitOf({ porn, hentai }: Scores): number {
  return porn + hentai;
}
