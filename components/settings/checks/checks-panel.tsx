"use client";
import { formatCount, plural } from "#components/format.ts";
import { useState, type ReactNode } from "react";
import { FigureLink } from "#components/charts/figure-link.tsx";
import { nameOf } from "#components/checks/check-name.ts";
import { useCan } from "#components/shell/member-context.tsx";
import { Button } from "#components/ui/button.tsx";
import { RefreshPage } from "#components/ui/refresh-page.tsx";
import { Panel } from "#components/ui/card.tsx";
import { Switch } from "#components/ui/choice.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { ExactTime } from "#components/ui/relative-time.tsx";
import { Notice } from "#components/ui/states.tsx";
import { notifyDone, notifyFailed } from "#components/ui/toast.tsx";
import type {
  ChatModelState,
  CheckChange,
  ChecksSettings,
  ChecksSettingsUpdate,
  CheckState,
  TextRule,
} from "#lib/checks/settings/schema.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { withQuery } from "#lib/client/query-string.ts";
import { useMutation } from "#lib/client/use-mutation.ts";
import { asPercent, readPercent } from "./percent.ts";

const checksNeeds = (approvals: number, rejections: number) =>
  `Needs ${[
    ...(approvals > 0
      ? [`${formatCount(approvals)} more ${approvals === 1 ? "approval" : "approvals"}`]
      : []),
    ...(rejections > 0
      ? [`${formatCount(rejections)} more ${rejections === 1 ? "rejection" : "rejections"}`]
      : []),
  ].join(" and ")} to start`;

type Save = (update: ChecksSettingsUpdate) => void;

export function ChecksPanel({ settings: data }: { settings: ChecksSettings }) {
  const mayManage = useCan("admin");
  const saving = useMutation<ChecksSettingsUpdate, ChecksSettings>(
    (body) => apiFetch("/checks/settings", { method: "PUT", body }),
    {
      refreshPage: true,
      onDone: () => notifyDone("Saved. Stored posts are being judged again."),
      onFailed: (failure) => notifyFailed("The change failed", failure),
    },
  );
  const save: Save | null = mayManage && !saving.pending ? (update) => void saving.run(update) : null;
  const check = (name: CheckState["name"]) => data.checks.find((each) => each.name === name);
  const [rules, learner, explicit, suggestive, chat] = [
    check("rules"),
    check("learner"),
    check("picture_explicit"),
    check("picture_suggestive"),
    check("chat_model"),
  ];
  const missing = [
    { name: "Pictures", why: explicit?.missing },
    { name: nameOf("chat_model"), why: chat?.missing },
  ].flatMap(({ name, why }) => (why ? [`${name} (${why.replace(/\.$/, "")})`] : []));
  const common = { decisions: data.decisions, save };
  return (
    <Panel
      title="Checks"
      description="Checks only advise. A check that votes advises rejection from its threshold on; the others are only shown."
      flush
    >
      {data.judging ? (
        <Notice tone="info" className="mx-4 mt-3">
          Stored posts are being judged again with the changed settings. Lists and the desk show the new
          advice as it is written.
          <RefreshPage every={3000} />
        </Notice>
      ) : null}
      <ul className="divide-y divide-line">
        {rules ? (
          <CheckRow
            {...common}
            name={nameOf("rules")}
            describes="Adds up the weights of the rules that match. Knows nothing about the meaning of a text or about pictures."
            checks={[rules]}
          >
            <RuleList rules={data.rules} save={save} />
          </CheckRow>
        ) : null}
        {learner ? (
          <CheckRow
            {...common}
            name={nameOf("learner")}
            describes="Learns from this team's decisions which posts it rejects: words, hashtags, authors, servers. Repeats habits of reviewers, also unfair ones."
            checks={[learner]}
          />
        ) : null}
        {explicit && suggestive && explicit.missing === null ? (
          <CheckRow
            {...common}
            name="Pictures"
            describes="Looks for sexual content in pictures and previews of videos, on this server. Does not see violence, hate symbols or text in pictures, and is often wrong about drawings. Beaches and sports look suggestive."
            checks={[explicit, suggestive]}
          />
        ) : null}
        {chat && data.chat_model ? (
          <CheckRow
            {...common}
            name={nameOf("chat_model")}
            describes={`Text and up to four pictures of each new post are sent to ${data.chat_model.host}.`}
            checks={[chat]}
          >
            <ChatModel state={data.chat_model} />
          </CheckRow>
        ) : null}
        {missing.length === 0 ? null : (
          <li className="px-4 py-2 text-13 text-muted">Not set up: {missing.join(", ")}</li>
        )}
      </ul>
    </Panel>
  );
}

interface CheckRowProps {
  name: string;
  describes: string;
  /** They are switched on and off together. */
  checks: readonly CheckState[];
  decisions: number;
  save: Save | null;
  children?: ReactNode;
}

function CheckRow({ name, describes, checks, decisions, save, children }: CheckRowProps) {
  const change = (changes: Omit<CheckChange, "name">) =>
    save?.({ checks: checks.map((check) => ({ name: check.name, ...changes })) });
  return (
    <li className="flex flex-col gap-2 px-4 py-3">
      <div className="flex flex-wrap gap-x-6 gap-y-3">
        <div className="min-w-0 flex-1 basis-80">
          <h3 className="text-14 font-medium">{name}</h3>
          <p className="mt-0.5 max-w-prose text-13 text-muted">{describes}</p>
          {checks.map((check) => (
            <p key={check.name} data-check={check.name} className="mt-0.5 text-13">
              {checks.length > 1 ? `${nameOf(check.name)}: ` : null}
              <Found check={check} decisions={decisions} />
            </p>
          ))}
        </div>
        <div className="flex flex-wrap items-start gap-x-5 gap-y-2">
          <Switch
            label="On"
            aria-label={`On: ${name}`}
            checked={checks.some(({ enabled }) => enabled)}
            disabled={save === null}
            onChange={(event) => change({ enabled: event.target.checked })}
          />
          {checks.map((check) => (
            <Threshold
              key={`${check.name} ${check.threshold}`}
              check={check}
              label={checks.length > 1 ? pictureLabels[check.name] : "Threshold in %"}
              save={save}
            />
          ))}
        </div>
      </div>
      {children}
    </li>
  );
}

const pictureLabels: Record<string, string> = {
  picture_explicit: "Explicit from %",
  picture_suggestive: "Suggestive from %",
};

/** "Warned of 40, you rejected 31", with links to exactly these posts. */
function Found({ check, decisions }: { check: CheckState; decisions: number }) {
  const { name, warned, rejected, needs } = check;
  if (needs !== null) return checksNeeds(needs.approvals, needs.rejections);
  if (warned === 0) return `No warnings (${plural(decisions, "post", "posts")})`;
  return (
    <>
      <FigureLink
        href={withQuery("/posts", { warned_by: name })}
      >{`Warned of ${formatCount(warned)}`}</FigureLink>
      {", "}
      <FigureLink href={withQuery("/posts", { warned_by: name, approved: false })}>
        {`you rejected ${formatCount(rejected)}`}
      </FigureLink>
    </>
  );
}

/** Saved with its button or Enter; the vote at once. */
function Threshold({
  check,
  label,
  save,
}: {
  check: CheckState;
  label: string | undefined;
  save: Save | null;
}) {
  const { name, votes, threshold, default_threshold } = check;
  const stored = threshold === default_threshold ? "" : asPercent(threshold);
  const [draft, setDraft] = useState(stored);
  const text = draft.trim();
  const value = text === "" ? null : readPercent(text, 1);
  const isWrong = text !== "" && value === null;
  return (
    <form
      className="flex flex-col items-start gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isWrong && text !== stored) save?.({ checks: [{ name, threshold: value }] });
      }}
    >
      <Field
        label={<span aria-label={`Threshold in %: ${nameOf(name)}`}>{label}</span>}
        error={isWrong ? "A number from 1 to 100, or empty for the default" : undefined}
        hint={
          default_threshold === null
            ? "Empty: chosen from the decisions"
            : `Empty: ${asPercent(default_threshold)} %`
        }
        className="w-40"
      >
        <Input
          size="sm"
          inputMode="numeric"
          className="tabular"
          disabled={save === null}
          placeholder={asPercent(default_threshold)}
          value={draft}
          onChange={(event) => setDraft(event.target.value)}
        />
      </Field>
      {text === stored || save === null ? null : (
        <Button size="sm" type="submit" variant="primary" disabled={isWrong}>
          Save
        </Button>
      )}
      <Switch
        label="Votes"
        aria-label={`Votes: ${nameOf(name)}`}
        checked={votes}
        disabled={save === null}
        onChange={(event) => save?.({ checks: [{ name, votes: event.target.checked }] })}
      />
    </form>
  );
}

function RuleList({ rules, save }: { rules: readonly TextRule[]; save: Save | null }) {
  return (
    <details>
      <summary className="inline-flex min-h-8 items-center rounded-sm text-13 font-medium hover:underline pointer-coarse:min-h-11">
        Rules: {rules.filter(({ enabled }) => enabled).length} on
      </summary>
      <ul className="mt-1 flex flex-col gap-1 text-13">
        {rules.map(({ name, describes, enabled }) => (
          <li key={name} className="flex items-start gap-3">
            <Switch
              label={`Use: ${describes}`}
              hideLabel
              checked={enabled}
              disabled={save === null}
              onChange={(event) => save?.({ rules: [{ name, enabled: event.target.checked }] })}
            />
            <span className="min-w-0 flex-1">{describes}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}

function ChatModel({ state }: { state: ChatModelState }) {
  const { model, calls_today, daily_limit, waiting, paused_until, last_error } = state;
  return (
    <p className="text-13 text-muted">
      <span className="wrap-anywhere">{model}</span> · {formatCount(calls_today)} of{" "}
      {formatCount(daily_limit)} calls today
      {waiting > 0 ? ` · ${plural(waiting, "post waits", "posts wait")}` : null}
      {paused_until === null ? null : (
        <>
          {" · Paused until "}
          <ExactTime at={paused_until} />
        </>
      )}
      {last_error === null ? null : <span className="block wrap-anywhere">{last_error}</span>}
    </p>
  );
}
