"""All capabilities, in the order in which they are asked. A new one is named here; its commands also in docs/."""

from __future__ import annotations

from core.capabilities.calendars.capability import CAPABILITY as CALENDARS
from core.capabilities.chat.capability import CAPABILITY as CHAT
from core.capabilities.conditions.capability import CAPABILITY as CONDITIONS
from core.capabilities.contacts.capability import CAPABILITY as CONTACTS
from core.capabilities.data.capability import CAPABILITY as DATA
from core.capabilities.documents.capability import CAPABILITY as DOCUMENTS
from core.capabilities.files.capability import CAPABILITY as FILES
from core.capabilities.history.capability import CAPABILITY as HISTORY
from core.capabilities.home.capability import CAPABILITY as HOME
from core.capabilities.hooks.capability import CAPABILITY as HOOKS
from core.capabilities.links.capability import CAPABILITY as LINKS
from core.capabilities.members.capability import CAPABILITY as MEMBERS
from core.capabilities.memory.capability import CAPABILITY as MEMORY
from core.capabilities.messages.capability import CAPABILITY as MESSAGES
from core.capabilities.planning.capability import CAPABILITY as PLANNING
from core.capabilities.privacy.capability import CAPABILITY as PRIVACY
from core.capabilities.reminders.capability import CAPABILITY as REMINDERS
from core.capabilities.schedules.capability import CAPABILITY as SCHEDULES
from core.capabilities.settings.capability import CAPABILITY as SETTINGS
from core.capabilities.tasks.capability import CAPABILITY as TASKS
from core.capabilities.today.capability import CAPABILITY as TODAY
from core.capabilities.todos.capability import CAPABILITY as TODOS
from core.capabilities.transfer.capability import CAPABILITY as TRANSFER
from core.capabilities.usage.capability import CAPABILITY as USAGE
from core.capabilities.web.capability import CAPABILITY as WEB
from core.language import add_phrases, add_texts
from core.toolkit.capability import Capability, command_table

CAPABILITIES: tuple[Capability, ...] = (
    CHAT,
    HISTORY,
    SETTINGS,
    PRIVACY,
    MEMBERS,
    TODOS,
    TODAY,
    REMINDERS,
    SCHEDULES,
    TASKS,
    CONTACTS,
    MEMORY,
    MESSAGES,
    LINKS,
    HOOKS,
    TRANSFER,
    FILES,
    CONDITIONS,
    USAGE,
    DATA,
    PLANNING,
    CALENDARS,
    DOCUMENTS,
    WEB,
    HOME,
)

COMMANDS = command_table(CAPABILITIES)

for capability in CAPABILITIES:
    add_texts(capability.texts)
    add_phrases(capability.phrases)
