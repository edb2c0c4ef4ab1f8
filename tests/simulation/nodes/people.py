"""Who looks on, at SDK clients of any process; and where people meet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.simulation.players import Folder, Meeting, Person

if TYPE_CHECKING:
    from tests.simulation.nodes.world import NodesWorld


class Table(Meeting):
    """A meeting that the world knows of."""

    def __init__(self, world: NodesWorld) -> None:
        super().__init__()
        self._world = world

    async def found(self, person: Person) -> tuple[str, str | None]:
        """The table's id and invite."""
        made = await super().found(person)
        if made[0] not in self._world.met:
            self._world.met.append(made[0])
        return made


class Spectator(Person):
    """Watches a table to the end of its match, and comes back wherever it can."""

    async def _sit(self, meeting: Meeting) -> None:
        assert self.client is not None
        table, invite = await meeting.found(self)
        self.table = await self.client.watch(table, detail=self.detail, invite=invite)  # type: ignore[arg-type]
        self.folder = Folder(self)

    async def _play(self) -> None:
        table = self.table
        assert table is not None
        while table.result is None and not table.ended:
            if table.info is not None and table.info.phase == "ended":
                break
            await table.changed()
        if table.error is not None:
            raise table.error
        self.done = True
