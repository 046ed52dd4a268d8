import { Download } from "lucide-react";
import { buttonClass } from "#components/ui/button.tsx";
import { words } from "#components/words/en.ts";
import { withQuery } from "#lib/client/query-string.ts";
import type { DayRange } from "#lib/stats/overview-schema.ts";

/** The line of a panel's title is lower than a button. */
const inTitleLine = "-my-1.5 pointer-coarse:-my-3";

/** One section of the export; without a section, all of it. */
export function CsvLink({ range, section, label }: { range: DayRange; section?: string; label?: string }) {
  const { from, to } = range;
  return (
    <a
      href={withQuery("/api/v1/stats/overview.csv", { from, to, section })}
      download
      aria-label={label ? `${words.common.exportCsv}: ${label}` : undefined}
      className={section ? buttonClass("ghost", "sm", inTitleLine) : buttonClass()}
    >
      <Download aria-hidden />
      {section ? words.statistics.csv : words.statistics.export}
    </a>
  );
}
