import { readFile } from "node:fs/promises";
import { expect, test } from "@playwright/test";
import { curlLines, readCurl } from "#tests/setup/curl-lines.ts";
import { ADMIN, startInstallation } from "#tests/setup/installation.ts";
import { runSluice } from "#tests/setup/program.ts";

test("the README's curl lines work", async () => {
  test.setTimeout(120_000);
  const settings = { ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password };
  const installation = await startInstallation({
    hashtags: ["photography"],
    posts: 40,
    seed: "readme",
    settings,
    embeddedDatabase: true,
  });
  try {
    const made = await runSluice(
      ["create-key", "--email", ADMIN.email, "--scopes", "read,consume,review,manage"],
      { DATA_DIR: installation.dataDir, ...settings },
    );
    const key = /slc_[\w-]+/.exec(made.output)?.[0];
    expect(key).toBeDefined();

    const variables = {
      SLUICE: `${installation.app.url.replace(/\/$/, "")}/api/v1`,
      KEY: key as string,
      SERVER: installation.remote.host,
      HASHTAG: "photography",
    };
    // Ids come from earlier answers instead of the README.
    const ids = { streams: 0, posts: 0, curated: 0 };
    const answers: { status: number; json: Record<string, unknown> }[] = [];
    const lines = curlLines(await readFile("README.md", "utf8"));
    expect(lines).toHaveLength(7);
    for (const line of lines) {
      const { method, url, headers, body } = readCurl(line, variables);
      const address = url.replace(
        /\/(streams|posts|curated)\/1\b/,
        (_whole, kind: keyof typeof ids) => `/${kind}/${ids[kind]}`,
      );
      const answer = await fetch(address, { method, headers, ...(body === undefined ? {} : { body }) });
      const text = await answer.text();
      const json = (text === "" ? {} : JSON.parse(text)) as Record<string, unknown>;
      answers.push({ status: answer.status, json });
      if (ids.streams === 0) ids.streams = json.id as number;
      const [first] = (json.items ?? []) as { id: number }[];
      if (first) ids.posts = first.id;
      if (typeof json.fenliu_post_id === "number") ids.curated = json.fenliu_post_id;
    }
    expect(answers.map((answer) => answer.status)).toEqual([201, 200, 200, 200, 200, 204, 200]);
    expect(ids.curated).toBe(ids.posts);
    expect(answers[1]?.json.new).toBeGreaterThan(0);
    expect(answers.at(-1)?.json).toMatchObject({
      approved_posts: 1,
      queue_status: { delivered: 1 },
      all_time: { delivered: 1 },
    });
  } finally {
    await installation.stop();
  }
});
