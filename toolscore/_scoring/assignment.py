"""The maximum-weight assignment between kinds of rows and kinds of columns.

Source:
    The Hungarian method by shortest augmenting paths (Jonker and Volgenant, 1987), for rows and
    columns that stand for several equal calls each, so that equal calls cost nothing.
"""

from __future__ import annotations

from collections.abc import Sequence


def assign(
    weights: Sequence[Sequence[int]], supply: Sequence[int], demand: Sequence[int]
) -> list[dict[int, int]]:
    """Per row, how many of its members go to which column; the sum of the weights is the largest.

    All weights are positive whole numbers, so that the arithmetic is exact; members of a row in
    excess of all columns stay without one, and the other way round.
    """
    if sum(supply) > sum(demand):
        turned = assign(list(zip(*weights)), demand, supply)  # noqa: B905 - a matrix
        flows: list[dict[int, int]] = [{} for _ in supply]
        for column, flow in enumerate(turned):
            for row, amount in flow.items():
                flows[row][column] = amount
        return flows
    return _Assignment(weights, supply, demand).solve()


class _Assignment:
    """One assignment in progress: flow, and prices under which no other flow is better."""

    def __init__(
        self, weights: Sequence[Sequence[int]], supply: Sequence[int], demand: Sequence[int]
    ) -> None:
        self.weights = weights
        self.left = list(supply)
        self.free = list(demand)
        self.gain = [max(row) for row in weights]  # price of a row: at least weight - price below
        self.price = [0] * len(self.free)  # of a column
        self.flows: list[dict[int, int]] = [{} for _ in supply]
        self.holders = [set[int]() for _ in self.free]  # rows with flow to a column

    def solve(self) -> list[dict[int, int]]:
        """The flow."""
        for row, weights in enumerate(self.weights):
            best = self.gain[row]
            for column, weight in enumerate(weights):
                if weight == best and self.free[column]:
                    self._push(row, column, min(self.left[row], self.free[column]))
                    if not self.left[row]:
                        break
        for row in range(len(self.left)):
            while self.left[row]:
                self._augment(row)
        return self.flows

    def _push(self, row: int, column: int, amount: int) -> None:
        self.flows[row][column] = self.flows[row].get(column, 0) + amount
        self.holders[column].add(row)
        self.left[row] -= amount
        self.free[column] -= amount

    def _augment(self, start: int) -> None:
        """Move flow along the path of least loss from ``start`` to a column with room."""
        weights, gain, price, free = self.weights, self.gain, self.price, self.free
        open_columns = list(range(len(free)))
        loss: list[int | None] = [None] * len(free)
        came = [-1] * len(free)
        seen = {start: 0}  # rows, with the loss at which each was reached
        through = {start: -1}  # rows, with the column whose place they would give up
        rows = [start]
        closed: list[int] = []
        end, total = -1, 0
        while end < 0:
            for row in rows:
                base, line = seen[row] + gain[row], weights[row]
                for column in open_columns:
                    here = base + price[column] - line[column]
                    known = loss[column]
                    if known is None or here < known:
                        loss[column], came[column] = here, row
            column = min(open_columns, key=lambda column: loss[column] or 0)
            total = loss[column] or 0
            if free[column]:
                end = column
                break
            open_columns.remove(column)
            closed.append(column)
            rows = [row for row in self.holders[column] if row not in seen]
            for row in rows:
                seen[row], through[row] = total, column
        for row, at in seen.items():
            gain[row] -= total - at
        for column in closed:
            price[column] += total - (loss[column] or 0)
        self._move(start, end, came, through)

    def _move(self, start: int, end: int, came: list[int], through: dict[int, int]) -> None:
        path: list[tuple[int, int, int]] = []  # a row, the column it gains, the one it gives up
        column = end
        while column >= 0:
            row = came[column]
            path.append((row, column, through[row]))
            column = through[row]
        given_up = [self.flows[row][given] for row, _, given in path if given >= 0]
        amount = min(self.left[start], self.free[end], *given_up)
        self.left[start] -= amount
        self.free[end] -= amount
        for row, column, given in path:
            flow = self.flows[row]
            flow[column] = flow.get(column, 0) + amount
            self.holders[column].add(row)
            if given >= 0:
                flow[given] -= amount
                if not flow[given]:
                    del flow[given]
                    self.holders[given].discard(row)
