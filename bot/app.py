"""The composition root: the only place where concrete classes meet. Tests call `build` with fakes."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from bot.config.config import Config
from bot.runtime.app import App, Service, hears, serves
from bot.runtime.spending import limits_of, prices_of
from core.agents.budget import Budget
from core.agents.llm.openai.client import MOST_TOKENS
from core.agents.loop import FIND, Loop
from core.agents.offline import Offline
from core.agents.one_answer import OneAnswer
from core.agents.roles import ASSISTANT, TELLER, Roles
from core.capabilities.all import CAPABILITIES
from core.capabilities.contacts.introductions import Introductions
from core.capabilities.data.environment import Environment
from core.capabilities.documents import sent
from core.capabilities.documents.service import Documents
from core.capabilities.files import sweeping
from core.capabilities.files.folders import Folders
from core.capabilities.tasks.models import TaskSettings
from core.capabilities.usage.notices import tell_near
from core.capabilities.voice.service import Transcriber
from core.delivery.composer import Composer
from core.delivery.notifier import Notifier
from core.delivery.sender import Hooks, Outbox
from core.kernel.access import Access, access
from core.kernel.events import EventBus
from core.kernel.ports import Adapter, Clock, Database, ReachableModel, Tx
from core.kernel.types import Role
from core.language import add_phrases, add_texts, languages, pick
from core.language.places import may_be_place
from core.language.short_texts import AUTOMATIC, is_time
from core.language.small_talk import understand
from core.language.zone_search import zone_of
from core.pipeline.intake.admission import Addressing, Admission
from core.pipeline.intake.conversations import Conversations, Profiles
from core.pipeline.intake.inbox import Inbox
from core.pipeline.intake.joining import Joining
from core.pipeline.intake.presence import BotPresence
from core.pipeline.runs.answer_reading import AnswerReader
from core.pipeline.runs.answering import Answering, Collaborators
from core.pipeline.runs.attachments import AttachmentService, Limits
from core.pipeline.runs.finish import Asking, Ending, RunReplies
from core.pipeline.runs.interpreter import Arrivals, Interpreter
from core.pipeline.runs.leases import new_owner
from core.pipeline.runs.listening import Listening
from core.pipeline.runs.model_absence import ModelAbsence
from core.pipeline.runs.progress import ProgressDisplay
from core.pipeline.runs.question_expiry import Expiry
from core.pipeline.runs.questions import Questions
from core.pipeline.runs.run_context import RunOpener, RunServices
from core.pipeline.runs.sweep import Scheduler
from core.pipeline.runs.thread_history import Threads
from core.pipeline.runs.worker import RunWorker
from core.scheduling import firing
from core.scheduling.engine.embedded import EmbeddedEngine
from core.scheduling.firing import Triggers
from core.scheduling.notices import Notices
from core.store.conversation.chat_migration import Chats, Merged
from core.store.conversation.outbox import Post
from core.store.files import FOLDERS, Files
from core.store.people.people import Standings
from core.toolkit.action import Actions
from core.toolkit.capability import Capability, Schedules, command_table
from core.toolkit.command import Commands, CommandTable
from core.toolkit.executor import Executor
from core.toolkit.fetch.allowance import PersonAllowance
from core.toolkit.fetch.client import Fetcher
from core.toolkit.fetch.connecting import GuardedBackend
from core.toolkit.keeping import Drawer, Keep, Keeps
from core.toolkit.ledger.ledger import Ledger, load_key
from core.toolkit.own_tools import loading as own_tools
from core.toolkit.own_tools.loading import OwnTools
from core.toolkit.services import OpenQuestions, PageUpdates, Services
from core.toolkit.tool import Registry, States
from core.toolkit.web import WebAddress

__all__ = ["App", "Service", "build"]

log = logging.getLogger(__name__)

BYTES_A_TOKEN = 4
# So many characters of the names of tools of one's own are told with each request.
MOST_NAMES = 400


@dataclass(frozen=True, kw_only=True)
class _Foundation:
    """Holds what each part of the program is made from."""

    config: Config
    db: Database
    clock: Clock
    adapters: Mapping[str, Adapter]
    model: ReachableModel | None
    engine: EmbeddedEngine
    ledger: Ledger
    owner: str
    access: Access
    progress: ProgressDisplay
    capabilities: Sequence[Capability]
    commands: CommandTable


def build(
    config: Config,
    adapters: Mapping[str, Adapter],
    *,
    db: Database,
    clock: Clock,
    model: ReachableModel | None = None,
    redact: Callable[[str], str] = str,
    services: Sequence[Service] = (),
    capabilities: Sequence[Capability] = CAPABILITIES,
    fetcher: Fetcher | None = None,
) -> App:
    """Put the program together around the given database, platforms and model.

    `services` run beside it as long as it does (the web server). `fetcher` reaches the web; without one it is made as
    the configuration says.
    """
    for capability in capabilities:
        add_texts(capability.texts)
        add_phrases(capability.phrases)
    config.data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
    base = _Foundation(
        config=config,
        db=db,
        clock=clock,
        adapters=adapters,
        model=model,
        engine=EmbeddedEngine(config.engine.concurrency, clock),
        ledger=Ledger(load_key(config.data_dir / "ledger.key"), config.data_dir / "ledger.anchor", redact),
        owner=new_owner(),
        access=access(config.access.mode, config.owners, config.access.allow),
        progress=ProgressDisplay(adapters),
        capabilities=capabilities,
        commands=command_table(capabilities),
    )
    container = Services(
        db=db,
        clock=clock,
        engine=base.engine,
        adapters=adapters,
        model=model,
        access=base.access,
        zone=config.zone,
        serves=partial(serves, adapters),
    )
    container.add(Environment(allowed=frozenset(config.tools.env), variables=os.environ, redact=redact))
    allowance = PersonAllowance(db, clock, replace(config.web.limits, seconds=60 * config.voice.minutes_per_hour))
    container.add(allowance, fetcher or _fetcher(config, allowance))
    container.add(config.web.search.settings, config.voice.settings(config.llm))
    _fill(container, base)
    outbox = _outbox(base, container)
    return App(
        **vars(base),
        inbox=_inbox(base, container),
        outbox=outbox,
        worker=_worker(base, container, outbox),
        scheduler=_scheduler(base, container, outbox),
        registry=container.get(Registry),
        container=container,
        services=services,
        stopping=asyncio.Event(),
    )


def _fetcher(config: Config, allowance: PersonAllowance) -> Fetcher:
    own = config.web.networks
    guarded = GuardedBackend(own, ports=frozenset(config.web.ports))
    return Fetcher(guarded=guarded, own=own, profiles=config.web.profiles, allowance=allowance)


def _fill(services: Services, base: _Foundation) -> None:
    """Put the services of the spine into the container, then those that each capability makes."""
    config = base.config
    composer = Composer(base.adapters, base.engine, base.clock, owners=config.owners, language=config.language)
    notices = Notices(composer, base.engine, base.clock, config.zone, config.notices.daily)
    attachments = _attachment_service(base)
    drawer = Drawer(unlink=attachments.unlink, sweep=partial(sweeping.sweep, services, attachments.sweep))
    days = config.retention
    keep = Keep(
        inbox=days.inbox_days,
        outbox=days.outbox_days,
        journal=days.journal_days,
        files=days.files_days,
        readalong=days.readalong_days,
        replaced=config.files.kept_days,
    )
    seals = None
    if config.secret_keys:
        from core.store.people.encryption import Sealer

        seals = Sealer(config.secret_keys)
    web = WebAddress(url=config.http.public_url if config.http.port else "", seals=seals)
    settings = TaskSettings(
        owner=base.owner,
        planners=config.tasks.planners,
        workers=config.tasks.workers,
        most_workers=config.tasks.most_workers,
        most_tokens=config.tasks.most_tokens,
        most_cost=None if config.tasks.most_dollars is None else round(config.tasks.most_dollars * 1_000_000),
    )
    services.add(composer, notices, keep, drawer, base.ledger, web, settings, *_model_use(base, composer))
    services.add(
        Files(config.data_dir / "files"),
        Folders(config.data_dir / FOLDERS, config.files.rules),
        config.files.limits,
    )
    for capability in base.capabilities:
        services.add(*filter(None, (capability.schedules, capability.keeps)))
    triggers = Triggers(services, composer, notices)
    services.add(triggers)
    for capability in base.capabilities:
        if capability.services is not None:
            services.add(*capability.services(services))
    reader = AnswerReader(is_place=partial(_is_place, has_model=base.model is not None))
    questions = Questions(composer, base.engine, base.clock, reader)
    asking = Asking(composer, base.engine, base.clock)
    services.add(
        questions,
        Arrivals(),
        *_toolkit(base),
        Notifier(composer, told=partial(_page_changed, base.capabilities, services)),
        PageUpdates(changed=partial(_page_changed, base.capabilities, services)),
        asking,
        OpenQuestions(
            ask=asking.ask_for_task,
            withdraw_all=questions.withdraw_all,
            withdraw_one=questions.withdraw,
            answer=questions.answer,
        ),
        States({state.name: state for one in base.capabilities if one.states for state in one.states(services)}),
    )


def _model_use(base: _Foundation, composer: Composer) -> tuple[Budget, Roles, OneAnswer]:
    """Return the budget of the model, the roles in which it is asked, and what asks it outside of conversations."""
    config, model = base.config, base.model
    budget = Budget(
        config.budget.daily_tokens,
        config.zone,
        base.clock,
        prices_of(config.llm),
        output_tokens=config.llm.max_output_tokens or MOST_TOKENS,
        limits=limits_of(config.budget, shared=config.access.mode == "open"),
        near=partial(tell_near, composer),
    )
    spec = TELLER if config.roles.preset == "strict" else ASSISTANT
    roles = Roles(spec, config.llm.profile, None if model is None else model.window)
    return budget, roles, OneAnswer(model=model, budget=budget, roles=roles, ledger=base.ledger)


def _page_changed(
    capabilities: Sequence[Capability], services: Services, tx: Tx, tenant_id: int, person_id: int
) -> None:
    """Tell capabilities that what a person sees on their page may have changed."""
    for capability in capabilities:
        if capability.tells.changed is not None:
            capability.tells.changed(tx, services.engine, tenant_id, person_id, services.clock.now())


def _is_place(text: str, *, has_model: bool) -> bool:
    """Return whether a text answers the question where somebody is.

    With a model only a time zone or a known place does: everything else is said to the model. Without one any text that
    may be the name of a place, and is nothing else that is understood, counts as an answer; whoever wrote it is told
    when no such place is known.
    """
    if text.lower() in AUTOMATIC or zone_of(text) is not None:
        return True
    if has_model or not may_be_place(text):
        return False
    return not (is_time(text) or understand(text, languages().values()))


def _inbox(base: _Foundation, services: Services) -> Inbox:
    clock, composer, questions = base.clock, services.get(Composer), services.get(Questions)
    triggers, pairing = services.get(Triggers), base.access.mode == "pairing"
    standings = Standings(base.access)
    moved = partial(firing.trigger_moved, services)
    hooks = (capability.understands.renamed for capability in base.capabilities)
    renamed = [hook for hook in hooks if hook is not None]
    profiles = Profiles(composer, clock, moved, triggers.let_in, triggers.release_held, renamed)
    conversations = Conversations(profiles, clock, base.capabilities)
    addressing = Addressing(questions.reader, base.capabilities, services.get(Arrivals), _interpreter(base))
    addressing.commands.seals = services.get(WebAddress).seals
    admission = Admission(
        standings,
        composer,
        clock,
        addressing=addressing,
        conversations=conversations,
        joining=Joining(standings, composer, clock, conversations, pairing=pairing, let_in=triggers.let_in),
        presence=BotPresence(standings, composer, clock, profiles, back=triggers.back),
    )
    return Inbox(
        base.db,
        base.engine,
        clock,
        admission=admission,
        composer=composer,
        questions=questions,
        chats=_chats(services),
    )


def _chats(services: Services) -> Chats:
    """Return who is told what becomes of chats: triggers, and the capabilities that keep something of a chat."""

    def merged(tx: Tx, chats: Merged) -> None:
        for keeps in services.every(Keeps):
            if keeps.merged is not None:
                keeps.merged(tx, chats)

    return Chats(back=services.get(Triggers).back, merged=merged)


def _scheduler(base: _Foundation, services: Services, outbox: Outbox) -> Scheduler:
    served, heard = partial(serves, base.adapters), partial(hears, base.adapters)
    expiry = Expiry(services.get(Questions).ends, base.db, base.clock, heard, served)
    return Scheduler(services, settle=outbox.doubts.settle, expire=expiry.expire)


def _outbox(base: _Foundation, services: Services) -> Outbox:
    config, broken, questions = base.config, services.get(Triggers).broken, services.get(Questions)

    def refused(tx: Tx, post: Post, blocked: bool) -> bool:
        questions.unseen(tx, post)
        if not blocked:
            services.get(Notifier).file_refused(tx, post)
        # All capabilities are told, also after one of them has told whoever waits for the message.
        hearing = [hooks.refused for hooks in services.every(Schedules) if hooks.refused is not None]
        return any([hear(services, tx, post, blocked) for hear in hearing])

    sending = Hooks(
        writes=(
            partial(firing.write_message, services),
            partial(broken.unwritten, told=True),
            partial(broken.unwritten, told=False),
        ),
        held=services.get(Composer).owners.tell_doubt,
        refused=refused,
        chats=_chats(services),
        files=services.get(Files),
    )
    return Outbox(
        base.db,
        base.engine,
        base.clock,
        base.adapters,
        rules={"telegram": config.telegram.doubt, "slack": config.slack.doubt},
        mark=pick(config.language)["repeated_mark"],
        hooks=sending,
    )


def _toolkit(base: _Foundation) -> tuple[Registry, OwnTools, Actions, Commands, Executor]:
    bus = EventBus()
    registry = Registry(bus, assistant=base.config.roles.preset != "strict")
    built_in = [tool for capability in base.capabilities for tool in capability.tools]
    own = own_tools.load(base.config.data_dir / own_tools.FOLDER, {tool.name for tool in built_in})
    for problem in own.problems:
        log.warning("a tool of your own was not loaded: %s", problem)
    # With the strict preset the Teller has only the tools of the preset's matrix.
    roles = frozenset({Role.TELLER, Role.WORKER} if registry.assistant else {Role.WORKER})
    # A model would not look for tools of whose existence nothing tells it.
    names = ", ".join(tool.name for tool, _ in own.tools)[:MOST_NAMES]
    for tool in built_in:
        finds = bool(names) and tool.name == FIND
        registry.register(replace(tool, description=f"{tool.description} Also: {names}.") if finds else tool)
    for tool, _ in own.tools:
        registry.register(replace(tool, roles=roles))
    undoes = [undo for capability in base.capabilities for undo in capability.undoes]
    actions = Actions(base.ledger, registry, undoes)
    commands = Commands(base.commands, actions, base.adapters)
    executor = Executor(registry, base.db, base.ledger, base.clock, bus, commands=commands)
    return registry, own, actions, commands, executor


def _worker(base: _Foundation, services: Services, outbox: Outbox) -> RunWorker:
    registry, composer = services.get(Registry), services.get(Composer)
    config, db, clock, engine = base.config, base.db, base.clock, base.engine
    budget = services.get(Budget)
    attachment_service, transcriber = _attachment_service(base, services), services.get(Transcriber)
    writes_down = transcriber.words if transcriber.ready else None
    collaborators = Collaborators(
        loop=Loop(services.get(Executor), registry, db, budget.count),
        model=base.model,
        offline=lambda notice: Offline(notice=notice),
        commands=services.get(Commands),
        attachment_service=attachment_service,
        listening=Listening(attachment_service, services.get(Questions), writes_down),
        progress=base.progress,
        threads=Threads(base.adapters, db),
        introduce=Introductions(base.adapters, db, services.get(Actions)).begin,
        deed=registry.deed,
        takes_files=base.commands.takes_files,
        recalls=[one.tells.recalls for one in base.capabilities if one.tells.recalls is not None],
        roles=services.get(Roles),
    )
    replies, asking = RunReplies(composer, clock), services.get(Asking)
    absence = ModelAbsence(
        db,
        engine,
        clock,
        model=base.model,
        composer=composer,
        budget=budget,
        retry_seconds=config.llm.retry_seconds,
    )
    return RunWorker(
        db,
        engine,
        clock,
        opener=RunOpener(_services(base, services), engine, replies.give_up),
        answering=Answering(db, clock, collaborators=collaborators, replies=replies, budget=budget, absence=absence),
        ending=Ending(db, clock, composer=composer, replies=replies, ledger=base.ledger, budget=budget, asking=asking),
        claim_post=outbox.claims.claim_next,
    )


def _attachment_service(base: _Foundation, services: Services | None = None) -> AttachmentService:
    config = base.config
    limits = Limits(
        file_bytes=config.files.max_mb << 20,
        scope_bytes=config.files.scope_mb << 20,
        most_seconds=config.files.fetch_seconds,
    )
    vision = config.llm.vision and base.model is not None
    files = Files(config.data_dir / "files")
    return AttachmentService(
        *(files, base.db, base.clock, base.adapters, limits),
        vision=vision,
        reads=None if services is None else partial(sent.reading, services.get(Documents)),
    )


def _interpreter(base: _Foundation) -> Interpreter | None:
    """Return what understands free text without a model; None where a model does all of that."""
    if base.model is not None and not base.config.fast_path:
        return None
    return Interpreter(
        [one.understands for one in base.capabilities],
        handlers=base.commands.intents.values(),
        model=base.model is not None,
        language=base.config.language,
        access=base.access,
    )


def _services(base: _Foundation, services: Services) -> RunServices:
    config = base.config
    tells = [one.tells for one in base.capabilities]
    return RunServices(
        serves=partial(serves, base.adapters),
        access=base.access,
        commands=base.commands,
        owner=base.owner,
        clock=base.clock,
        db=base.db,
        services=services,
        zone=config.zone,
        language=config.language,
        history_bytes=BYTES_A_TOKEN * config.llm.past_tokens,
        states=services.get(States).providers,
        spelling=services.get(Composer).spelling,
        interpreter=_interpreter(base),
        arrivals=services.get(Arrivals),
        tells=dict.fromkeys((name for name, one in base.adapters.items() if one.has_pages), tells),
        edited=[one.understands.edited for one in base.capabilities if one.understands.edited is not None],
    )
