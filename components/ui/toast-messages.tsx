"use client";
import { Check, CircleAlert, Info } from "lucide-react";
import { useEffect } from "react";
import { Toaster as Sonner, toast } from "sonner";
import { words } from "#components/words/en.ts";
import { buttonClass } from "./button.tsx";
import { deliverTo } from "./toast-queue.ts";

/** The messages: bottom end at the desk, above the bottom bar on a phone, and above the deck's buttons (globals.css). */
export function Messages() {
  // After the region is there: what was said before it is shown now.
  useEffect(() => deliverTo(toast), []);
  return (
    <Sonner
      position="bottom-right"
      visibleToasts={3}
      style={{ fontFamily: "inherit" }}
      offset={{ bottom: "var(--messages-above, 1rem)", right: 16 }}
      mobileOffset={{
        bottom: "calc(4.5rem + env(safe-area-inset-bottom) + var(--messages-above, 0rem))",
        left: 12,
        right: 12,
      }}
      containerAriaLabel={words.common.messages}
      icons={{
        success: <Check aria-hidden className="size-4 text-approve" />,
        error: <CircleAlert aria-hidden className="size-4 text-reject" />,
        info: <Info aria-hidden className="size-4 text-info" />,
      }}
      toastOptions={{
        unstyled: true,
        classNames: {
          toast:
            "flex w-full items-center gap-2.5 rounded-lg border border-line bg-raised py-2 ps-3 pe-2 text-13 text-text shadow-hairline desk:w-90",
          content: "min-w-0 flex-1 py-1",
          title: "font-medium",
          description: "text-muted wrap-anywhere",
          actionButton: buttonClass("ghost", "sm", "text-accent"),
        },
      }}
    />
  );
}
