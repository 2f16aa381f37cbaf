import { checkerContract, modelsScene } from "../../../test/contracts/checker.ts";
import { linearRegression } from "./regression-checkers.ts";

checkerContract(linearRegression, modelsScene());
