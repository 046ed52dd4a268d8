"use client";
import { Monitor, Moon, Sun } from "lucide-react";
import { SegmentedControl } from "#components/ui/choice.tsx";
import { setTheme, useTheme, type ThemeChoice } from "./theme.ts";

const options = [
  { value: "system", label: "System", icon: <Monitor aria-hidden /> },
  { value: "light", label: "Light", icon: <Sun aria-hidden /> },
  { value: "dark", label: "Dark", icon: <Moon aria-hidden /> },
] as const;

export function ThemeSwitch() {
  return (
    <SegmentedControl
      label="Theme"
      options={options}
      value={useTheme()}
      onChange={(value) => setTheme(value as ThemeChoice)}
    />
  );
}
