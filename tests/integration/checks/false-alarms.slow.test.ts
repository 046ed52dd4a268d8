import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { checkDefaults } from "#lib/checks/results/check-names.ts";
import { picturePixels } from "#lib/media/render-picture.ts";
import { createEngine, MAX_MEMORY_BYTES } from "#lib/checks/pictures/engine.ts";
import { INPUT_SIZE } from "#lib/checks/pictures/model-names.ts";
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
  it("are never explicit", { timeout: 300_000 }, async () => {
    const engine = createEngine(MAX_MEMORY_BYTES);
    const alarms: string[] = [];
    let checked = 0;
    for (const [name, draw] of pictures()) {
      const { porn, hentai } = await engine({ pixels: await picturePixels(await draw(), INPUT_SIZE) });
      checked++;
      if (porn + hentai >= (checkDefaults.picture_explicit.threshold ?? 0))
        alarms.push(`${name}: ${porn + hentai}`);
    }
    expect(checked).toBeGreaterThan(200);
    expect(alarms).toEqual([]);
  });
});
