"use client";
import { Ban } from "lucide-react";
import { useId, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Dialog, Sheet } from "#components/ui/dialog.tsx";
import { Kbd } from "#components/ui/kbd.tsx";
import { words } from "#components/words/en.ts";
import { keyActions, keySign } from "#lib/desk/keys.ts";
import type { HistoryEntry } from "#lib/desk/history.ts";
import type { DeskPreferences } from "#lib/desk/preferences.ts";
import type { DeskStore } from "#lib/desk/store.ts";
import { actionWords, managersOnly } from "#components/desk-settings/action-words.ts";
import { DeskSettings } from "#components/desk-settings/desk-settings.tsx";
import { GeneralKeys } from "#components/shell/key-help.tsx";
import { HistoryList } from "./history-list.tsx";
import type { RejectReason } from "#lib/review/reject-reason-schema.ts";
import { QuickReasons } from "./quick-reasons.tsx";

const w = words.review;

/** All dialogs are loaded with the first one. */
export type OpenDialog =
  | { kind: "keys" }
  | { kind: "settings" }
  | { kind: "history" }
  | { kind: "reasons" }
  | { kind: "hashtags"; tags: readonly string[]; blocked: readonly string[] };

export interface DeskDialogsProps {
  open: OpenDialog;
  onClose: () => void;
  preferences: DeskPreferences;
  onPreferences: (preferences: DeskPreferences) => void;
  mayManage: boolean;
  reasons: readonly RejectReason[];
  onReason: (reason: RejectReason, at: number) => void;
  onBlockHashtag: (tag: string) => void;
  history: readonly HistoryEntry[];
  store: DeskStore;
}

export function DeskDialogs(props: DeskDialogsProps) {
  const { open, onClose, preferences, onPreferences } = props;
  const root = { open: true, onOpenChange: (next: boolean) => !next && onClose() };
  switch (open.kind) {
    case "keys":
      return <KeysDialog {...props} />;
    case "settings":
      return (
        <SettingsDialog
          preferences={preferences}
          onClose={onClose}
          onSaved={(now) => {
            onPreferences(now);
            onClose();
          }}
        />
      );
    case "history":
      return (
        <Sheet {...root} title={w.history}>
          <HistoryList entries={props.history} store={props.store} />
        </Sheet>
      );
    case "reasons":
      return (
        <Sheet {...root} side="bottom" title={w.reason}>
          {props.reasons.length === 0 ? (
            <p className="text-13 text-muted">{words.reviewTools.noReasons}</p>
          ) : null}
          <QuickReasons
            reasons={props.reasons}
            disabled={false}
            onReason={(reason, at) => {
              onClose();
              props.onReason(reason, at);
            }}
            className="flex flex-col"
          />
        </Sheet>
      );
    case "hashtags":
      return (
        <Dialog
          {...root}
          title={words.reviewTools.blockHashtagTitle}
          description={words.reviewTools.blockHashtagHint}
          width="sm"
        >
          <ul className="flex flex-col gap-1">
            {open.tags.map((tag) => (
              <li key={tag}>
                <Button
                  size="sm"
                  className="w-full justify-start"
                  icon={<Ban aria-hidden />}
                  disabled={open.blocked.includes(tag)}
                  onClick={() => {
                    onClose();
                    props.onBlockHashtag(tag);
                  }}
                >
                  <bdi className="truncate">#{tag}</bdi>
                </Button>
              </li>
            ))}
          </ul>
        </Dialog>
      );
  }
}

function SettingsDialog({
  preferences,
  onClose,
  onSaved,
}: {
  preferences: DeskPreferences;
  onClose: () => void;
  onSaved: (preferences: DeskPreferences) => void;
}) {
  const form = useId();
  return (
    <Dialog
      open
      onOpenChange={(next) => !next && onClose()}
      title={words.reviewTools.settingsTitle}
      description={words.reviewTools.settingsHint}
      width="lg"
      footer={
        <Button type="submit" form={form} variant="primary">
          {words.common.save}
        </Button>
      }
    >
      <DeskSettings form={form} preferences={preferences} onSaved={onSaved} />
    </Dialog>
  );
}

function KeysDialog({ onClose, preferences, onPreferences, mayManage, reasons }: DeskDialogsProps) {
  const [changing, setChanging] = useState(false);
  const root = { open: true, onOpenChange: (next: boolean) => !next && onClose() };
  if (changing) {
    return (
      <SettingsDialog
        preferences={preferences}
        onClose={onClose}
        onSaved={(now) => {
          onPreferences(now);
          setChanging(false);
        }}
      />
    );
  }
  const { approve, reject, skip, undo } = preferences.keys;
  const inPicture = `${[approve, reject, skip, undo].map(keySign).join(" ")} 1–9`;
  const shown = keyActions.filter((action) => mayManage || !managersOnly.has(action));
  return (
    <Dialog
      {...root}
      title={words.reviewTools.keysTitle}
      description={preferences.keys_on ? words.reviewTools.keysHint : words.reviewTools.keysOff}
      isText
      width="lg"
      footer={<Button onClick={() => setChanging(true)}>{words.reviewTools.changeKeys}</Button>}
    >
      <dl className="grid gap-x-8 desk:grid-cols-2">
        {shown.map((action) => (
          <Row key={action} term={actionWords[action]} sign={keySign(preferences.keys[action])} />
        ))}
        <Row term={w.undo} sign="Ctrl Z" />
        <Row term={words.reviewTools.keysInPicture} sign={inPicture} />
        <Row term={words.reviewTools.keysOfPicture} sign="← → + − 0" />
        <Row term={words.reviewTools.keysOfAuthor} sign="← → ↑ ↓ X" />
        <Row term={words.reviewTools.noteSave} sign="Enter" />
        <Row term={words.reviewTools.noteLine} sign="Shift Enter" />
        <Row term={words.reviewTools.noteDiscard} sign="Esc" />
        <Row term={words.reviewTools.noteRestore} sign="Ctrl Z" />
        {reasons.map((reason, i) => (
          <Row key={reason.id} term={`${w.reject}: ${reason.label}`} sign={String(i + 1)} />
        ))}
      </dl>
      <div className="mt-5 flex flex-col gap-5">
        <GeneralKeys />
      </div>
    </Dialog>
  );
}

function Row({ term, sign }: { term: string; sign: string }) {
  return (
    <div className="flex min-h-8 items-center gap-3 border-b border-line/60">
      <dt dir="auto" className="min-w-0 flex-1 py-1 text-14">
        {term}
      </dt>
      <dd className="text-13 font-medium">
        <Kbd className="pointer-coarse:inline-flex">{sign}</Kbd>
        <span className="hidden-visually">{sign}</span>
      </dd>
    </div>
  );
}
