import { words } from "#components/words/en.ts";
import { formatPercent } from "#components/words/format.ts";
import type { ScorePicture } from "#lib/checks/score/schema.ts";

const w = words.postChecks;
const classes = Object.keys(w.classes) as (keyof typeof w.classes)[];

export function PictureScores({ pictures }: { pictures: readonly ScorePicture[] }) {
  if (pictures.length === 0) return null;
  return (
    <section className="flex flex-col gap-3 text-13">
      <h3 className="font-medium">{w.pictures}</h3>
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
        {w.picture(medium)}: {w.pictureFailed(error)}
      </p>
    );
  return (
    <table className="w-full border-collapse text-12 leading-[1.35]">
      <caption className="pb-1 text-start">
        {w.picture(medium)} <span className="text-muted">{engine}</span>
      </caption>
      <thead>
        <tr className="border-b border-line text-muted">
          <th scope="col" className="py-1 text-start font-normal">
            {w.pictureClass}
          </th>
          <th scope="col" className="w-24 py-1 text-end font-normal">
            {w.pictureShare}
          </th>
        </tr>
      </thead>
      <tbody>
        {classes.map((name) => (
          <tr key={name} className="border-b border-line/60">
            <th scope="row" className="py-1 text-start font-normal">
              {w.classes[name]}
            </th>
            <td className="tabular py-1 text-end">{formatPercent(scores[name] * 100)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
