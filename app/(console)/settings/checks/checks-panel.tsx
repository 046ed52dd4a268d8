import { FigureLink } from "#components/charts/figure-link.tsx";
import { checkName } from "#components/words.ts";
import { formatCount, plural } from "#components/format.ts";
import { ActionErrors, ActionForm, FormNotice, SubmitButton } from "#components/ui/action-form.tsx";
import { Panel } from "#components/ui/card.tsx";
import { Checkbox } from "#components/ui/choice.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { RefreshPage } from "#components/ui/refresh-page.tsx";
import { ExactTime } from "#components/ui/relative-time.tsx";
import { Notice } from "#components/ui/states.tsx";
import type { ChecksSettings } from "#lib/checks/score/show-checks.ts";
import { withQuery } from "#lib/client/query-string.ts";
import { saveChecks } from "../actions.ts";

type CheckState = ChecksSettings["checks"][number];

/** Checks in the order of the page. */
const rows = [
  {
    name: checkName("rules"),
    checks: ["rules"],
    describes:
      "Adds up the weights of the rules that match. Knows nothing about the meaning of a text or about pictures.",
  },
  {
    name: checkName("learner"),
    checks: ["learner"],
    describes:
      "Learns from this team's decisions which posts it rejects: words, hashtags, authors, servers. Repeats habits of reviewers, also unfair ones.",
  },
  {
    name: "Pictures",
    checks: ["picture_explicit", "picture_suggestive"],
    describes:
      "Looks for sexual content in pictures and previews of videos, on this server. Does not see violence, hate symbols or text in pictures, and is often wrong about drawings. Beaches and sports look suggestive.",
  },
  { name: checkName("chat_model"), checks: ["chat_model"], describes: "" },
];
const errors = {
  checks: "A threshold is a number from 1 to 100, or empty.",
};

export function ChecksPanel({ settings }: { settings: ChecksSettings }) {
  const { chat_model: chat, decisions, judging, rules } = settings;
  const groups = rows.map((row) => ({
    ...row,
    checks: settings.checks.filter(({ name }) => row.checks.includes(name)),
  }));
  const missing = groups.flatMap(({ name, checks: [check] }) =>
    check?.missing ? [`${name} (${check.missing.replace(/\.$/, "")})`] : [],
  );
  return (
    <Panel
      title="Checks"
      description="Checks only advise. A check that votes advises rejection from its threshold on; the others are only shown."
      flush
    >
      {judging ? (
        <Notice tone="info" className="mx-4 mt-3">
          Stored posts are being judged again with the changed settings. Lists and the desk show the new
          advice as it is written.
          <RefreshPage every={3000} />
        </Notice>
      ) : null}
      <ActionForm action={saveChecks} errors={errors}>
        <ul className="divide-y divide-line">
          {groups.map(({ name, checks, describes }) =>
            checks[0]?.missing === null ? (
              <li key={name} className="flex flex-col gap-2 px-4 py-3">
                <div className="flex flex-wrap gap-x-6 gap-y-3">
                  <div className="min-w-0 flex-1 basis-80">
                    <h3 className="text-14 font-medium">{name}</h3>
                    <p className="mt-0.5 max-w-prose text-13 text-muted">
                      {describes ||
                        `Text and up to four pictures of each new post are sent to ${chat?.host ?? ""}.`}
                    </p>
                    {checks.map((check) => (
                      <p key={check.name} data-check={check.name} className="mt-0.5 text-13">
                        {checks.length > 1 ? `${checkName(check.name)}: ` : null}
                        <WarningCounts check={check} decisions={decisions} />
                      </p>
                    ))}
                  </div>
                  {checks.map((check) => (
                    <Fields key={check.name} check={check} isNamed={checks.length > 1} />
                  ))}
                </div>
                {checks[0].name === "rules" ? (
                  <details>
                    <summary className="inline-flex min-h-8 items-center rounded-sm text-13 font-medium hover:underline">
                      Rules: {rules.filter(({ enabled }) => enabled).length} on
                    </summary>
                    <div className="mt-1 flex flex-col gap-1 text-13">
                      {rules.map((rule) => (
                        <Checkbox
                          key={rule.name}
                          name="rules"
                          value={rule.name}
                          label={rule.describes}
                          defaultChecked={rule.enabled}
                        />
                      ))}
                    </div>
                  </details>
                ) : null}
                {checks[0].name === "chat_model" && chat ? <ChatModel state={chat} /> : null}
              </li>
            ) : null,
          )}
          {missing.length === 0 ? null : (
            <li className="px-4 py-2 text-13 text-muted">Not set up: {missing.join(", ")}</li>
          )}
        </ul>
        <div className="flex items-center gap-3 border-t border-line px-4 py-3">
          <SubmitButton variant="primary">Save</SubmitButton>
          <ActionErrors name="checks" />
          <FormNotice />
        </div>
      </ActionForm>
    </Panel>
  );
}

/** "Warned of 40, you rejected 31", with links to these posts. */
function WarningCounts({ check, decisions }: { check: CheckState; decisions: number }) {
  const { name, warned, rejected, needs } = check;
  if (needs !== null) {
    const more = [
      needs.approvals > 0 ? plural(needs.approvals, "more approval", "more approvals") : null,
      needs.rejections > 0 ? plural(needs.rejections, "more rejection", "more rejections") : null,
    ];
    return `Needs ${more.filter((each) => each !== null).join(" and ")} to start`;
  }
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

/** 0.45 → "45". Null → "". */
function asPercent(share: number | null): string {
  return share === null ? "" : String(Math.round(share * 10_000) / 100);
}

function Fields({ check, isNamed }: { check: CheckState; isNamed: boolean }) {
  const { name, enabled, votes, threshold, default_threshold } = check;
  const byDefault = asPercent(default_threshold);
  return (
    <fieldset className="flex w-40 flex-col items-start gap-2">
      <legend className={isNamed ? "mb-1 text-13 font-medium" : "hidden-visually"}>{checkName(name)}</legend>
      <input type="hidden" name="checks" value={name} />
      <Checkbox name={`enabled_${name}`} label="On" defaultChecked={enabled} />
      <Checkbox name={`votes_${name}`} label="Votes" defaultChecked={votes} />
      <Field
        label="Threshold in %"
        hint={byDefault === "" ? "Empty: chosen from the decisions" : `Empty: ${byDefault} %`}
      >
        <Input
          name={`threshold_${name}`}
          size="sm"
          inputMode="numeric"
          className="tabular"
          placeholder={byDefault}
          defaultValue={threshold === default_threshold ? "" : asPercent(threshold)}
        />
      </Field>
    </fieldset>
  );
}

function ChatModel({ state }: { state: NonNullable<ChecksSettings["chat_model"]> }) {
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
