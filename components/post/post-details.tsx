import { checkName } from "#components/words.ts";
import { formatPercent } from "#components/format.ts";
import { Link } from "#components/ui/link.tsx";
import type { Checks, ScorePicture } from "#lib/checks/score/schema.ts";
import type { PostFile } from "#lib/review/deck-schema.ts";
import { ConsentList, SeenAtSource } from "./post-facts.tsx";

const classes = {
  porn: "Explicit",
  hentai: "Explicit drawing",
  sexy: "Suggestive",
  drawing: "Drawing",
  neutral: "Neutral",
} as const;

const percentOf = (share: number | null) => (share === null ? "–" : formatPercent(Math.round(share * 100)));

/** Address, consent signals and scores of the checks. */
export function PostDetails({ post, checks }: { post: PostFile; checks: Checks }) {
  const address = post.url ?? post.post_id;
  return (
    <div className="flex flex-col gap-4 text-13">
      <p className="wrap-anywhere">
        {/^https?:/.test(address) ? (
          <Link href={address} external>
            {address}
          </Link>
        ) : (
          address
        )}
      </p>
      <div>
        <ConsentList consent={post.consent} />
        <SeenAtSource post={post} />
      </div>
      {checks.checks.length === 0 ? null : (
        <table className="w-full border-collapse text-12 leading-[1.35] [&_td]:ps-2 [&_tr]:border-b [&_tr]:border-line">
          <caption className="hidden-visually">Scores of the checks</caption>
          <thead className="text-muted [&_th]:py-1 [&_th]:text-end [&_th]:font-normal [&_th]:first:text-start">
            <tr>
              <th scope="col">Check</th>
              <th scope="col">Score</th>
              <th scope="col">Threshold</th>
              <th scope="col">Version</th>
            </tr>
          </thead>
          <tbody className="[&_td]:py-1 [&_td]:text-end">
            {checks.checks.map(({ name, votes, score, threshold, version }) => (
              <tr key={name}>
                <th scope="row" className="py-1 text-start font-normal wrap-anywhere">
                  {checkName(name)}
                  {votes ? "" : " (does not vote)"}
                </th>
                <td className="tabular">{percentOf(score)}</td>
                <td className="tabular">{percentOf(threshold)}</td>
                <td className="wrap-anywhere">{version}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {checks.picture_scores.map((picture) => (
        <p key={picture.medium} className="text-12 wrap-anywhere">
          Picture {picture.medium + 1} <span className="text-muted">({picture.engine})</span>:{" "}
          {scoresText(picture)}
        </p>
      ))}
    </div>
  );
}

function scoresText({ scores, state, error }: ScorePicture): string {
  if (state === "failed" || scores === null)
    return error === null ? "could not be checked" : `could not be checked: ${error}`;
  return Object.entries(classes)
    .map(([name, label]) => `${label} ${formatPercent(scores[name as keyof typeof classes] * 100)}`)
    .join(", ");
}
