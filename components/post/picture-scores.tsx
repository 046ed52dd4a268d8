import { formatPercent } from "#components/format.ts";
import type { ScorePicture } from "#lib/checks/score/schema.ts";

const postChecksClasses = {
  porn: "Explicit",
  hentai: "Explicit drawing",
  sexy: "Suggestive",
  drawing: "Drawing",
  neutral: "Neutral",
} as const;

const classes = Object.keys(postChecksClasses) as (keyof typeof postChecksClasses)[];

export function PictureScores({ pictures }: { pictures: readonly ScorePicture[] }) {
  if (pictures.length === 0) return null;
  return (
    <section className="flex flex-col gap-3 text-13">
      <h3 className="font-medium">Raw picture scores</h3>
      {pictures.map((picture) => (
        <Picture key={picture.medium} picture={picture} />
      ))}
    </section>
  );
}

function Picture({ picture }: { picture: ScorePicture }) {
  const { medium, scores, error, engine } = picture;
  if (picture.state === "failed" || scores === null)
    return (
      <p className="wrap-anywhere">
        Picture {medium + 1}: {error === null ? "Could not be checked" : `Could not be checked: ${error}`}
      </p>
    );
  return (
    <table className="w-full border-collapse text-12 leading-[1.35]">
      <caption className="pb-1 text-start">
        Picture {medium + 1} <span className="text-muted">{engine}</span>
      </caption>
      <thead>
        <tr className="border-b border-line text-muted">
          <th scope="col" className="py-1 text-start font-normal">
            Class
          </th>
          <th scope="col" className="w-24 py-1 text-end font-normal">
            Probability
          </th>
        </tr>
      </thead>
      <tbody>
        {classes.map((name) => (
          <tr key={name} className="border-b border-line/60">
            <th scope="row" className="py-1 text-start font-normal">
              {postChecksClasses[name]}
            </th>
            <td className="tabular py-1 text-end">{formatPercent(scores[name] * 100)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
