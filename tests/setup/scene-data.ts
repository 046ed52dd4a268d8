import type { PostKind } from "#tests/simulated-server/server.ts";
import { query } from "./database.ts";
import type { AdminInstallation } from "./installation.ts";
import type { SampleData } from "./sample-data.ts";

/* Data for the scenes of screen-scenes.ts. */

export type SceneInstallation = AdminInstallation & { sample: SampleData };

let streams = 0;

/** A stream with one post of each kind, oldest first. */
export async function addDesk(
  { call, remote }: SceneInstallation,
  kinds: readonly PostKind[],
  given: Parameters<SceneInstallation["remote"]["control"]["addPost"]>[0] = {},
): Promise<string> {
  const hashtag = `scene${++streams}`;
  const firstAt = Date.now() - 3 * 3_600_000;
  for (const [index, kind] of kinds.entries()) {
    const created_at = new Date(firstAt + index * 60_000);
    remote.control.addPost({ created_at, hashtags: [hashtag, "photography"], ...given }, kind);
  }
  const { json: stream } = await call<{ id: number }>("POST", "/streams", {
    hashtag,
    instance: remote.host,
    enable_scheduling: false,
  });
  if (kinds.length > 0) await call("POST", `/streams/${stream.id}/fetch`);
  return `/review?stream_id=${stream.id}`;
}

/** An author with several posts that wait for review. */
export async function addSeller(installation: SceneInstallation): Promise<string> {
  const [model] = installation.remote.control.people;
  if (model === undefined) throw new Error("The simulated server has no people.");
  const username = `seller${++streams}`;
  const author = {
    ...model,
    id: `9${Date.now()}`,
    username,
    display_name: "Seller of cameras and of other things",
  };
  return addDesk(installation, ["picture", "text", "pictures", "content_warning", "long"], { author });
}

/** One post against which the checks advise. */
export async function addAdvised(installation: SceneInstallation): Promise<string> {
  const { call, databaseUrl } = installation;
  const path = await addDesk(installation, ["picture", "picture"]);
  const { json } = await call<{ items: { id: number }[] }>(
    "GET",
    `/posts?${path.split("?")[1]}&order=oldest&limit=1`,
  );
  const [kept] = json.items;
  if (kept === undefined) throw new Error("There is no post.");
  const scores = { drawing: 0.04, hentai: 0.06, neutral: 0.1, porn: 0.7, sexy: 0.1 };
  const picture = {
    medium: 0,
    source: "a",
    state: "done",
    error: null,
    scores,
    engine: "model@1",
  };
  const reasons = [
    "The post mentions 12 accounts.",
    "The text resembles rejected posts: “giveaway”, “win”.",
    "A picture looks explicit.",
  ];
  await query(
    databaseUrl,
    `INSERT INTO post_check (post_id, rules, picture_state, pictures) VALUES ($1, $2, 'done', $3)
     ON CONFLICT (post_id) DO UPDATE SET rules = excluded.rules, picture_state = 'done', pictures = excluded.pictures`,
    [kept.id, JSON.stringify([{ name: "many_mentions", reason: reasons[0] }]), JSON.stringify([picture])],
  );
  await query(
    databaseUrl,
    `UPDATE post SET ai_would_reject = true, ai_score = 0.82, ai_reasons = $2, ai_checks = $3,
                     vision_category = 'explicit', vision_confidence = 0.76, classified_at = now() WHERE id = $1`,
    [
      kept.id,
      JSON.stringify(reasons),
      JSON.stringify([
        {
          name: "rules",
          kind: "rule",
          version: "1",
          score: 0.75,
          threshold: 0.7,
          votes: true,
          reason: reasons[0],
        },
        {
          name: "learner",
          kind: "learner",
          version: "12",
          score: 0.82,
          threshold: 0.62,
          votes: true,
          reason: reasons[1],
        },
        {
          name: "picture_explicit",
          kind: "picture",
          version: "model@1",
          score: 0.76,
          threshold: 0.6,
          votes: true,
          reason: reasons[2],
        },
      ]),
    ],
  );
  return path;
}

export async function decideSome(installation: SceneInstallation): Promise<string> {
  const path = await addDesk(installation, ["picture", "text", "video", "poll", "text", "text"]);
  const { json } = await installation.call<{ items: { id: number }[] }>(
    "GET",
    `/posts?${path.split("?")[1]}`,
  );
  const ids = json.items.map(({ id }) => id);
  await installation.call("POST", "/review/batch", { post_ids: ids.slice(0, 3), decision: "approve" });
  await installation.call("POST", `/posts/${ids[3]}/reject`, { reject_reason: 2 });
  return path;
}

export async function failingStream({ call }: SceneInstallation): Promise<string> {
  const { json } = await call<{ items: { id: number; hashtag: string }[] }>("GET", "/streams?limit=1000");
  return `/streams/${json.items.find(({ hashtag }) => hashtag === "sunset")?.id}`;
}

/** One entry of each kind on Home. */
export async function addAttention(installation: SceneInstallation): Promise<void> {
  const { call, databaseUrl } = installation;
  // As after the first ten minutes.
  await query(databaseUrl, "UPDATE installation SET alerts_from = now()");
  await call("POST", "/members/links", { email: "late@journeys.example", role: "viewer" });
}
