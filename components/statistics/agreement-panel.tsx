import { Fragment } from "react";
import { FigureLink } from "#components/charts/figure-link.tsx";
import type { Column } from "#components/ui/data-table.tsx";
import { Stat, StatRow } from "#components/ui/stat.tsx";
import { EmptyState } from "#components/ui/states.tsx";
import { formatCount, formatPercent } from "#components/words/format.ts";
import { words } from "#components/words/en.ts";
import { byReviewer, decisionList } from "#lib/client/figure-lists.ts";
import type { Overview } from "#lib/stats/overview-schema.ts";
import { TablePanel } from "./table-panel.tsx";

const w = words.statistics;
type Pair = Overview["agreement"]["pairs"][number];

const columns: Column<Pair>[] = [
  {
    key: "first",
    header: w.firstReviewer,
    primary: true,
    cell: ({ first, first_member_id }) => <Reviewer reviewer={first} member_id={first_member_id} />,
  },
  {
    key: "second",
    header: w.secondReviewer,
    cell: ({ second, second_member_id }) => <Reviewer reviewer={second} member_id={second_member_id} />,
  },
  {
    key: "same",
    figure: "decided_twice_same",
    header: w.same,
    numeric: true,
    width: "7rem",
    cell: (pair) => formatCount(pair.same),
  },
  {
    key: "different",
    figure: "decided_twice_different",
    header: w.different,
    numeric: true,
    width: "8rem",
    cell: (pair) => formatCount(pair.different),
  },
  {
    key: "share",
    figure: "reviewer_agreement",
    header: w.agreement,
    numeric: true,
    width: "9rem",
    cell: (pair) => formatPercent(pair.share),
  },
];

function Reviewer(line: { reviewer: string; member_id: number | null }) {
  return <FigureLink href={decisionList(byReviewer(line))}>{line.reviewer || w.unknownReviewer}</FigureLink>;
}

export function AgreementPanel({ overview: { agreement } }: { overview: Overview }) {
  const { same, different, taken_back, reviewers } = agreement;
  return (
    <>
      <StatRow>
        <Stat
          figure="reviewer_agreement"
          label={w.reviewersAgree}
          value={same + different === 0 ? "–" : formatPercent(agreement.share)}
          hint={w.ofPosts(same + different)}
        />
        <Stat
          figure="taken_back"
          label={w.takenBack}
          value={taken_back}
          hint={reviewers.slice(0, 3).map((each, i) => (
            <Fragment key={`${each.member_id}-${each.reviewer}`}>
              {i === 0 ? null : ", "}
              <Reviewer {...each} /> {formatCount(each.taken_back)}
            </Fragment>
          ))}
        />
      </StatRow>
      <TablePanel
        unlisted
        title={w.pairs}
        description={w.pairsHint}
        columns={columns}
        rows={agreement.pairs}
        rowKey={(pair) => `${pair.first}/${pair.second}`}
        empty={
          <EmptyState title={w.pairsEmpty} className="py-6">
            {w.pairsEmptyHint}
          </EmptyState>
        }
      />
    </>
  );
}
