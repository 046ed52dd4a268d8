"use client";
import { SeenBefore, type SeenBeforeProps } from "#components/post/seen-before.tsx";
import { cn } from "#components/ui/cn.ts";
import { FactBox } from "./fact-box.tsx";

export function SeenBox({ place, ...rest }: SeenBeforeProps & { place: "side" | "under" }) {
  return (
    <div
      className={cn(place === "side" ? "max-wide:hidden" : "rounded-md border border-line p-3 wide:hidden")}
    >
      <FactBox title="Seen before">
        <SeenBefore {...rest} />
      </FactBox>
    </div>
  );
}
