import { describe, expect, expectTypeOf, it } from "vitest";
import type { Prisma } from "#prisma/generated/client.ts";
import { allMetrics, metrics, metricsOf, percent, type Metric, type MetricOf } from "./metrics-schema.ts";

type ColumnOf<M extends Metric> = (typeof metrics)[M]["column"];

describe("metrics", () => {
  it("use every column of the counters and of the statistics tables", () => {
    expectTypeOf<ColumnOf<Metric>>().toEqualTypeOf<
      Exclude<Prisma.Counter_dayScalarFieldEnum, "day" | "stream_id">
    >();
    expectTypeOf<ColumnOf<Metric>>().toEqualTypeOf<
      Exclude<Prisma.Counter_hourScalarFieldEnum, "hour" | "stream_id">
    >();
    expectTypeOf<ColumnOf<Metric>>().toExtend<Prisma.Counter_totalScalarFieldEnum>();
    expectTypeOf<ColumnOf<Metric>>().toExtend<Prisma.Counter_deltaScalarFieldEnum>();
    expectTypeOf<ColumnOf<MetricOf<"instance">>>().toEqualTypeOf<
      Exclude<Prisma.Stat_instanceScalarFieldEnum, "day" | "instance">
    >();
    expectTypeOf<ColumnOf<MetricOf<"reviewer">>>().toEqualTypeOf<
      Exclude<Prisma.Stat_reviewerScalarFieldEnum, "day" | "reviewer_id" | "reviewer">
    >();
    const columns = allMetrics.map((metric) => metrics[metric].column);
    expect(new Set(columns).size).toBe(columns.length);
  });

  it("are listed by section in the order of their declaration", () => {
    expect(metricsOf("reviewer")).toEqual(["reviewed", "approved"]);
  });

  it("give a rate of 0 when there is nothing", () => {
    expect([percent(0, 0), percent(5, 12)]).toEqual([0, 41.67]);
  });
});
