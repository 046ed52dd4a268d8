import { createRequire } from "node:module";
import path from "node:path";
import { CLASSES, INPUT_SIZES, type Opinion, type PictureModel, type Scores } from "./model-names.ts";
import { projectDescription } from "./projection.ts";
import type { ModelArtifacts, ModelJson, Tensor, TensorflowPackages } from "./tensorflow.ts";

/*
 * The classifiers: weights out of nsfwjs, run by TensorFlow.js on WebAssembly. Imported only by the engine process, and on
 * Vercel by the function. The packages are optional and loaded by `require`, so that a build works without them.
 */

/** Ends the name of the node with the description of the picture. */
const DESCRIPTION_NODE = "MobilenetV2/Logits/AvgPool";

const root = createRequire(path.join(/*turbopackIgnore: true*/ process.cwd(), "package.json"));
const load = <Name extends keyof TensorflowPackages>(name: Name) => root(name) as TensorflowPackages[Name];

type Core = TensorflowPackages["@tensorflow/tfjs-core"];
type Run = (pixels: Uint8Array) => Promise<Opinion>;

let core: Promise<Core> | undefined;
const runs: Partial<Record<PictureModel, Promise<Run>>> = {};

/**
 * Loads the model at the first use.
 *
 * @param pixels red, green and blue of a square of `INPUT_SIZES[model]` pixels
 */
export async function runModel(model: PictureModel, pixels: Uint8Array): Promise<Opinion> {
  core ??= loadCore();
  const loaded = await core;
  runs[model] ??= model === "first" ? loadFirst(loaded) : loadSecond(loaded);
  return (await runs[model])(pixels);
}

async function loadCore(): Promise<Core> {
  const tensorflow = load("@tensorflow/tfjs-core");
  const { setWasmPaths } = load("@tensorflow/tfjs-backend-wasm");
  setWasmPaths(path.dirname(root.resolve("@tensorflow/tfjs-backend-wasm")) + path.sep);
  if (!(await tensorflow.setBackend("wasm"))) throw new Error("WebAssembly could not be started.");
  return tensorflow;
}

async function loadFirst(tensorflow: Core): Promise<Run> {
  const { loadGraphModel } = load("@tensorflow/tfjs-converter");
  const artifacts = readArtifacts("mobilenet_v2_mid", 2);
  const model = await loadGraphModel({ load: () => Promise.resolve(artifacts) });
  const { node: nodes } = artifacts.modelTopology as { node: { name: string }[] };
  const description = nodes.find(({ name }) => name.endsWith(DESCRIPTION_NODE))?.name;
  const output = model.outputs[0]?.name;
  if (description === undefined || output === undefined) throw new Error("The first model has no outputs.");
  return async (pixels) => {
    const input = inputOf(tensorflow, pixels, INPUT_SIZES.first);
    const [scores, described] = model.execute(input, [output, description]) as [Tensor, Tensor];
    try {
      return {
        scores: readScores(await scores.data()),
        vector: projectDescription(await described.data()),
      };
    } finally {
      for (const tensor of [input, scores, described]) tensor.dispose();
    }
  };
}

async function loadSecond(tensorflow: Core): Promise<Run> {
  const { loadLayersModel } = load("@tensorflow/tfjs-layers");
  const artifacts = readArtifacts("inception_v3", 6);
  const model = await loadLayersModel({ load: () => Promise.resolve(artifacts) });
  return async (pixels) => {
    const input = inputOf(tensorflow, pixels, INPUT_SIZES.second);
    const scores = model.predict(input);
    try {
      return { scores: readScores(await scores.data()), vector: null };
    } finally {
      for (const tensor of [input, scores]) tensor.dispose();
    }
  };
}

/**
 * Reads the files themselves: nsfwjs loads all of TensorFlow.js, and its CommonJS entry makes a property of each character
 * of the weights (1.6 GB).
 */
function readArtifacts(name: string, shards: number): ModelArtifacts {
  const folder = path.join(path.dirname(root.resolve("nsfwjs")), "..", "models", name);
  const read = (file: string): unknown => {
    const id = path.join(folder, file);
    const content: unknown = root(id);
    // Otherwise the text of the weights would stay in memory.
    Reflect.deleteProperty(root.cache, id);
    return content;
  };
  const json = read("model.min.js") as ModelJson;
  const weights = Buffer.concat(
    Array.from({ length: shards }, (_, n) =>
      Buffer.from(read(`group1-shard${n + 1}of${shards}.min.js`) as string, "base64"),
    ),
  );
  return {
    modelTopology: json.modelTopology,
    format: json.format,
    weightSpecs: json.weightsManifest.flatMap((each) => each.weights),
    weightData: weights.buffer.slice(weights.byteOffset, weights.byteOffset + weights.byteLength),
  };
}

function inputOf(tensorflow: Core, pixels: Uint8Array, size: number): Tensor {
  const values = new Float32Array(pixels.length);
  // A loop, because Float32Array.from takes 15 times as long.
  for (let index = 0; index < values.length; index++) values[index] = (pixels[index] ?? 0) / 255;
  return tensorflow.tensor4d(values, [1, size, size, 3]);
}

function readScores(values: ArrayLike<number>): Scores {
  const named = CLASSES.map((name, index) => [name, values[index]] as const);
  if (values.length !== CLASSES.length || named.some(([, value]) => !Number.isFinite(value))) {
    throw new Error("The model gave no probabilities.");
  }
  return Object.fromEntries(named) as Scores;
}
