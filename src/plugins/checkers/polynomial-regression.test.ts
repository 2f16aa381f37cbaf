import { checkerContract, modelsScene } from "../../../test/contracts/checker.ts";
import { polynomialRegression } from "./regression-checkers.ts";

checkerContract(polynomialRegression, modelsScene());
