import {
  CircleCheck,
  DatabaseBackup,
  GalleryVerticalEnd,
  Hourglass,
  OctagonAlert,
  TriangleAlert,
  UserPlus,
} from "lucide-react";
import type { ReactElement } from "react";
import { ButtonLink } from "#components/ui/button.tsx";
import { Panel } from "#components/ui/card.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { EmptyState } from "#components/ui/states.tsx";
import { nameOf } from "#components/checks/check-name.ts";
import type { Role } from "#components/shell/member-context.tsx";
import { streamName } from "#components/streams/stream-name.ts";
import { formatCount, formatDuration } from "#components/words/format.ts";
import { words } from "#components/words/en.ts";
import type { BackupStatus } from "#lib/backup-status.ts";
import type { CheckState } from "#lib/classify/check-settings-schema.ts";
import type { OptOutList } from "#lib/consent/opt-out-schema.ts";
import type { QueueOverview } from "#lib/queue/overview-schema.ts";
import type { Stream } from "#lib/streams/schema.ts";
import { OptOutRow } from "./opt-out-row.tsx";
import { WaitingRow } from "./waiting-row.tsx";

const w = words.home;
/** Rows per kind; the rest is one more row. */
const SHOWN = 3;
const LOW_DAYS = 1;

export interface WaitingPanelProps {
  role: Role;
  unreviewed: number;
  errors: { count: number; reason: string | null };
  optOuts: OptOutList;
  streams: Stream[];
  waitingHosts: { host: string; until: string }[];
  supply: Pick<QueueOverview, "available" | "deliveries_per_day" | "runway_days">;
  invitations: number;
  /** Empty for everybody but admins. */
  stoppedChecks: readonly Pick<CheckState, "name" | "stopped_why">[];
  /** Null for everybody but admins. */
  backupFailure: BackupStatus["failure"];
}

export function WaitingPanel(props: WaitingPanelProps) {
  const mayReview = props.role !== "viewer";
  const rows = [
    ...unreviewed(props.unreviewed, mayReview),
    ...supply(props.supply),
    ...optOuts(props.optOuts, mayReview),
    ...errors(props.errors),
    ...backups(props.backupFailure),
    ...stoppedChecks(props.stoppedChecks),
    ...sickStreams(props.streams, props.waitingHosts),
    ...invitations(props.invitations),
  ];
  return (
    <Panel title={mayReview ? w.waiting : w.waitingViewer} flush>
      {rows.length === 0 ? (
        <NothingWaits streams={props.streams} />
      ) : (
        <ul className="divide-y divide-line">{rows}</ul>
      )}
    </Panel>
  );
}

function unreviewed(count: number, mayReview: boolean): ReactElement[] {
  if (count === 0) return [];
  return [
    <WaitingRow
      key="unreviewed"
      icon={GalleryVerticalEnd}
      tone="accent"
      title={w.toReview(count)}
      hint={mayReview ? w.toReviewHint : undefined}
      action={
        mayReview ? (
          <ButtonLink href="/review" variant="primary">
            {w.review}
          </ButtonLink>
        ) : (
          <ButtonLink href="/posts?reviewed=false">{w.show}</ButtonLink>
        )
      }
    />,
  ];
}

function supply({ available, deliveries_per_day: pace, runway_days: days }: WaitingPanelProps["supply"]) {
  if (days === null || days >= LOW_DAYS) return [];
  return [
    <WaitingRow
      key="supply"
      icon={Hourglass}
      tone="warn"
      title={available === 0 ? w.lowEmpty : w.low(formatDuration(days * 86_400))}
      hint={w.lowHint(formatCount(pace))}
      action={<ButtonLink href="/queue">{w.lowStep}</ButtonLink>}
    />,
  ];
}

function errors({ count, reason }: WaitingPanelProps["errors"]): ReactElement[] {
  if (count === 0) return [];
  return [
    <WaitingRow
      key="errors"
      icon={OctagonAlert}
      tone="reject"
      title={w.errors(count)}
      hint={reason === null ? undefined : w.errorsMost(reason)}
      action={<ButtonLink href="/queue#errors">{w.errorsStep}</ButtonLink>}
    />,
  ];
}

function backups(failure: WaitingPanelProps["backupFailure"]): ReactElement[] {
  if (failure === null) return [];
  return [
    <WaitingRow
      key="backups"
      icon={DatabaseBackup}
      tone="reject"
      title={w.backupFails}
      hint={
        <>
          {failure.reason} · {w.backupAttempt} <RelativeTime at={failure.at} />
        </>
      }
      action={<ButtonLink href="/settings/export">{w.backupStep}</ButtonLink>}
    />,
  ];
}

function optOuts({ items, total }: OptOutList, mayDecide: boolean): ReactElement[] {
  const rows = items
    .slice(0, SHOWN)
    .map((optOut) => <OptOutRow key={optOut.account} optOut={optOut} mayDecide={mayDecide} />);
  const more = total - rows.length;
  if (more > 0) {
    rows.push(
      <WaitingRow
        key="more-opt-outs"
        icon={TriangleAlert}
        tone="muted"
        title={w.optOutMore(more)}
        action={<ButtonLink href="/queue#held">{w.optOutMoreStep}</ButtonLink>}
      />,
    );
  }
  return rows;
}

function sickStreams(streams: Stream[], hosts: WaitingPanelProps["waitingHosts"]): ReactElement[] {
  const until = new Map(hosts.map((host) => [host.host, host.until]));
  const sick = streams.filter((stream) => stream.last_error !== null);
  const rows = sick.slice(0, SHOWN).map((stream) => {
    const asked = until.get(stream.instance);
    return (
      <WaitingRow
        key={`stream-${stream.id}`}
        icon={TriangleAlert}
        tone="warn"
        title={w.sick(streamName(stream))}
        hint={
          <>
            {stream.last_error} · {asked === undefined ? w.sickSince : w.sickUntil}{" "}
            <RelativeTime at={asked ?? stream.last_check} />
          </>
        }
        action={<ButtonLink href={`/streams/${stream.id}`}>{w.sickStep}</ButtonLink>}
      />
    );
  });
  if (sick.length > SHOWN) {
    rows.push(
      <WaitingRow
        key="more-streams"
        icon={TriangleAlert}
        tone="muted"
        title={w.sickMore(sick.length - SHOWN)}
        action={<ButtonLink href="/streams">{w.sickAll}</ButtonLink>}
      />,
    );
  }
  return rows;
}

function stoppedChecks(checks: WaitingPanelProps["stoppedChecks"]): ReactElement[] {
  return checks.map(({ name, stopped_why }) => (
    <WaitingRow
      key={`check-${name}`}
      icon={TriangleAlert}
      tone="warn"
      title={w.checkStopped(nameOf(name))}
      hint={stopped_why}
      action={<ButtonLink href="/settings/checks">{w.checkStoppedStep}</ButtonLink>}
    />
  ));
}

function invitations(count: number): ReactElement[] {
  if (count === 0) return [];
  return [
    <WaitingRow
      key="invitations"
      icon={UserPlus}
      tone="muted"
      title={w.invitations(count)}
      hint={w.invitationsHint}
      action={<ButtonLink href="/settings/members">{w.invitationsStep}</ButtonLink>}
    />,
  ];
}

function NothingWaits({ streams }: { streams: Stream[] }) {
  const next = streams
    .flatMap((stream) => (stream.enable_scheduling ? (stream.next_scheduled_fetch ?? []) : []))
    .sort()[0];
  return (
    <EmptyState title={w.nothing} icon={<CircleCheck aria-hidden />}>
      {next === undefined ? (
        w.nothingHint
      ) : (
        <>
          {w.nothingNext} <RelativeTime at={next} />.
        </>
      )}
    </EmptyState>
  );
}
