"use client";
import { Check, OctagonAlert, RefreshCw, TriangleAlert, type LucideIcon } from "lucide-react";
import { useSyncExternalStore } from "react";
import { Badge, type Tone } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { Panel } from "#components/ui/card.tsx";
import { DataTable, type Column } from "#components/ui/data-table.tsx";
import { SkeletonRows } from "#components/ui/skeleton.tsx";
import { ErrorState } from "#components/ui/states.tsx";
import { words } from "#components/words/en.ts";
import { withQuery } from "#lib/client/query-string.ts";
import { useApi } from "#lib/client/use-api.ts";
import type { Doctor, Finding } from "#lib/runtime/doctor/schema.ts";

const w = words.doctor;
const looks = {
  ok: [Check, "approve"],
  warn: [TriangleAlert, "warn"],
  fail: [OctagonAlert, "reject"],
} as const satisfies Record<Finding["state"], readonly [LucideIcon, Tone]>;
const order: Finding["state"][] = ["fail", "warn", "ok"];

const columns: Column<Finding>[] = [
  { key: "check", header: w.check, primary: true, width: "12rem", cell: ({ check }) => capitalised(check) },
  {
    key: "state",
    header: w.state,
    width: "7rem",
    cell: ({ state }) => <State state={state} />,
  },
  {
    key: "found",
    header: w.found,
    wrap: true,
    cell: ({ text, advice }) => (
      <span className="block py-1.5 wrap-anywhere">
        {text}
        {advice === "" ? null : <span className="mt-0.5 block text-muted">{advice}</span>}
      </span>
    ),
  },
];

export function DoctorBoard() {
  const origin = useOrigin();
  const { data, failure, refreshing, reload } = useApi<Doctor>(
    origin === null ? null : withQuery("/doctor", { origin }),
    // Each run asks other servers.
    { refreshOnFocus: false },
  );
  const bad = data?.items.filter(({ state }) => state !== "ok").length ?? 0;
  return (
    <Panel
      title={w.title}
      description={w.hint}
      actions={
        <Button size="sm" icon={<RefreshCw aria-hidden />} pending={refreshing} onClick={() => void reload()}>
          {w.again}
        </Button>
      }
      flush
    >
      <p role="status" className="px-4 py-3 text-14 text-muted">
        {data === undefined ? (failure ? null : w.running) : bad === 0 ? w.allGood : w.bad(bad)}
      </p>
      {data === undefined ? (
        failure === undefined ? (
          <SkeletonRows rows={12} />
        ) : (
          <ErrorState
            title={w.failed}
            failure={failure}
            onRetry={() => void reload()}
            retrying={refreshing}
          />
        )
      ) : (
        <DataTable
          caption={w.title}
          columns={columns}
          rows={order.flatMap((state) => data.items.filter((finding) => finding.state === state))}
          rowKey={({ check }) => check}
        />
      )}
    </Panel>
  );
}

function State({ state }: Pick<Finding, "state">) {
  const [Icon, tone] = looks[state];
  return (
    <Badge tone={tone} icon={<Icon aria-hidden strokeWidth={2.5} />}>
      {w.states[state]}
    </Badge>
  );
}

/** Null in the server's rendering. */
function useOrigin(): string | null {
  return useSyncExternalStore(
    () => () => undefined,
    () => window.location.origin,
    () => null,
  );
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
