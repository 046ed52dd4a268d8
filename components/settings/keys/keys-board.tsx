"use client";
import { useState } from "react";
import type { GeneratedKey, KeyStatus } from "#lib/accounts/key-schema.ts";
import { useApi } from "#lib/client/use-api.ts";
import type { NamedStream, ScopeName } from "./key-facts.ts";
import { KeyTable } from "./key-table.tsx";
import { NewKeyPanel } from "./new-key-panel.tsx";

export interface KeysBoardProps {
  status: KeyStatus;
  streams: NamedStream[];
  scopes: ScopeName[];
  publicUrl: string;
}

export function KeysBoard({ status, streams, scopes, publicUrl }: KeysBoardProps) {
  const list = useApi<KeyStatus>("/api-keys/status", { fallback: status });
  const [fresh, setFresh] = useState<GeneratedKey>();
  return (
    <>
      {fresh ? (
        <NewKeyPanel key={fresh.id} made={fresh} publicUrl={publicUrl} onClose={() => setFresh(undefined)} />
      ) : null}
      <KeyTable list={list} streams={streams} scopes={scopes} onGenerated={setFresh} />
    </>
  );
}
