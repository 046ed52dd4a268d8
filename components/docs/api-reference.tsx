"use client";
import { useEffect, useRef, useState } from "react";
import { ErrorState } from "#components/ui/states.tsx";
import { words } from "#components/words/en.ts";
import "./api-reference.css";
import { nameControls } from "./name-controls.ts";

interface Reference {
  destroy?: () => void;
}
type Scalar = { createApiReference: (element: Element, configuration: Record<string, unknown>) => Reference };

export interface ApiReferenceProps {
  /** Where its program lies. */
  program: string;
  /** Where the OpenAPI document lies. */
  document: string;
  /** The member's choice; undefined follows the system. */
  theme: "light" | "dark" | undefined;
}

/** The reference of the API, to read and to try with a key. Everything it loads comes from this origin. */
export function ApiReference({ program, document: address, theme }: ApiReferenceProps) {
  const place = useRef<HTMLDivElement>(null);
  const [failed, setFailed] = useState(false);

  useEffect(() => {
    let reference: Reference | undefined;
    let stopNaming: (() => void) | undefined;
    let left = false;
    load(program)
      .then((scalar) => {
        if (left || place.current === null) return;
        const dark =
          theme === undefined ? matchMedia("(prefers-color-scheme: dark)").matches : theme === "dark";
        reference = scalar.createApiReference(place.current, configurationFor(address, dark));
        stopNaming = nameControls(place.current);
      })
      .catch(() => setFailed(true));
    return () => {
      left = true;
      stopNaming?.();
      reference?.destroy?.();
    };
  }, [program, address, theme]);

  if (failed) {
    return (
      <main>
        <ErrorState title={words.docs.failed} onRetry={() => window.location.reload()} />
      </main>
    );
  }
  return <div ref={place} />;
}

function configurationFor(address: string, dark: boolean): Record<string, unknown> {
  return {
    url: address,
    theme: "none",
    forceDarkModeState: dark ? "dark" : "light",
    hideDarkModeToggle: true,
    // Nothing that leads to, or loads from, its makers.
    withDefaultFonts: false,
    telemetry: false,
    hideClientButton: true,
    showDeveloperTools: "never",
    agent: { disabled: true },
    mcp: { disabled: true },
    documentDownloadType: "json",
    defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
    authentication: { preferredSecurityScheme: "ApiKey" },
  };
}

let loading: Promise<Scalar> | undefined;

/** Loads the program once a visit. A script made by a trusted script needs no nonce (`strict-dynamic`). */
function load(program: string): Promise<Scalar> {
  loading ??= new Promise<Scalar>((resolve, reject) => {
    const script = document.createElement("script");
    script.src = program;
    script.onload = () => {
      const { Scalar } = window as { Scalar?: Scalar };
      if (Scalar === undefined) reject(new Error("the program did not start"));
      else resolve(Scalar);
    };
    script.onerror = () => reject(new Error("the program could not be loaded"));
    document.head.append(script);
  });
  loading.catch(() => (loading = undefined));
  return loading;
}
