"use client";
import { Settings2 } from "lucide-react";
import { useState } from "react";
import { PageHeader } from "#components/shell/page-header.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState, Notice } from "#components/ui/states.tsx";
import { Stat, StatRow } from "#components/ui/stat.tsx";
import { formatPercent } from "#components/words/format.ts";
import { words } from "#components/words/en.ts";
import { useApi } from "#lib/client/use-api.ts";
import type { ChecksQuality, Share } from "#lib/checks/quality/schema.ts";
import { AgreementTable } from "./agreement-table.tsx";
import { FiguresTable, type Span } from "./figures-table.tsx";
import { CheckCharts } from "./check-charts.tsx";
import { nameOf } from "./check-name.ts";
import { VerdictsPanel } from "./verdicts-panel.tsx";

const w = words.checks;
const REFRESH_MS = 30_000;

export function QualityBoard({ quality: rendered }: { quality: ChecksQuality }) {
  const { data: quality = rendered } = useApi<ChecksQuality>("/checks/quality", {
    fallback: rendered,
    refreshEvery: REFRESH_MS,
  });
  const [span, setSpan] = useState<Span>("last_500");
  return (
    <>
      <PageHeader
        title={w.title}
        description={w.description}
        back={{ href: "/statistics", label: words.statistics.title }}
        actions={
          <ButtonLink href="/settings/checks" icon={<Settings2 aria-hidden />}>
            {w.settingsLink}
          </ButtonLink>
        }
      />
      <div className="space-y-6">
        {quality.checks.map(({ name, stopped_why }) =>
          stopped_why === null ? null : (
            <Notice key={name} tone="warn">
              {w.stoppedNotice(nameOf(name), stopped_why)}
            </Notice>
          ),
        )}
        {quality.decisions === 0 ? (
          <EmptyState title={w.empty} className="rounded-lg border border-line bg-surface">
            {w.emptyHint(quality.needed)}
          </EmptyState>
        ) : (
          <>
            <Totals quality={quality} />
            <VerdictsPanel checks={quality.checks} />
            <details>
              <summary className="inline-flex min-h-8 items-center rounded-sm text-14 font-medium hover:underline pointer-coarse:min-h-11">
                {w.details}
              </summary>
              <div className="mt-4 space-y-6">
                <AgreementTable quality={quality} />
                <FiguresTable checks={quality.checks} span={span} onSpan={setSpan} />
                <CheckCharts checks={quality.checks} span={span} />
              </div>
            </details>
          </>
        )}
      </div>
    </>
  );
}

function Totals({ quality }: { quality: ChecksQuality }) {
  const { decisions, rejected, left_out, advice } = quality;
  return (
    <StatRow>
      <Stat label={w.decisions} value={decisions} hint={w.decisionsHint} />
      <Stat label={w.rejected} value={formatPercent((100 * rejected) / decisions)} hint={w.baseRate} />
      <Agreed label={w.blindAgreement} share={advice.blind} hint={w.hiddenOf} />
      <Agreed label={w.shownAgreement} share={advice.shown} hint={w.shownOf} />
      {left_out > 0 ? <Stat label={w.leftOut} value={left_out} hint={w.leftOutHint} /> : null}
    </StatRow>
  );
}

function Agreed({
  label,
  share,
  hint,
}: {
  label: string;
  share: Share | null;
  hint: (decisions: number) => string;
}) {
  return (
    <Stat
      label={label}
      value={share === null ? "–" : formatPercent(share.share * 100)}
      hint={hint(share?.n ?? 0)}
    />
  );
}
