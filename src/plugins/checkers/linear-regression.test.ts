import { checkerContract, modelsScene } from "../../../test/contracts/checker.ts";
import { linearRegression } from "./linear-regression.ts";

checkerContract(linearRegression, modelsScene());
