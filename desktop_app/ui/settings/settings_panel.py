"""The settings: look, language model, planning, limits, results. Each change counts at once and is saved."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QHBoxLayout, QLineEdit, QSpinBox, QWidget

from desktop_app.core import settings as settings_file
from desktop_app.core.errors import AppError
from desktop_app.core.settings import LANGUAGES, LOCAL, PLAN_MODES, VARIABLES, Settings
from desktop_app.llm import abilities, credentials, prices
from desktop_app.llm.abilities import PRESETS
from desktop_app.llm.model_listing import offered
from desktop_app.models import store
from desktop_app.models.catalogue import Model
from desktop_app.run.maintenance import Upkeep
from desktop_app.services.local_chat import chat_models, proposed
from desktop_app.session.consent import CONNECTED
from desktop_app.ui.settings.api_key_edit import KeyField
from desktop_app.ui.settings.edit_form import BoundFields
from desktop_app.ui.settings.hosted_services import HostedServices
from desktop_app.ui.settings.mcp_servers import McpServers
from desktop_app.ui.settings.storage_options import ResultOptions
from desktop_app.ui.support import formatting
from desktop_app.ui.support.planning_modes import mode_words
from desktop_app.ui.support.thread_pool import BackgroundReader
from desktop_app.ui.widgets.basic import Button, PushButton, Words, divider, label, px, row, stack
from desktop_app.ui.widgets.flow_layout import FlowLayout
from desktop_app.ui.widgets.glyphs import Glyph
from desktop_app.ui.widgets.popup_panel import PopupPanel

SCALES = (1.0, 1.25, 1.5, 1.75, 2.0)
LANGUAGE_NAMES = {"en": "English", "zh": "简体中文"}
"""Each in its own words, so that it is found by whoever reads no other."""


_OTHER = "other"
Ask = Callable[[str, str], tuple[str, ...]]

_MOST_GB, _MOST_MINUTES = 1000, 10_000
_WIDTH = 150


class SettingsPanel(PopupPanel):
    """`changed(settings)` after something was saved; `theme_wanted(name)` at once, so that it is seen."""

    changed = Signal(object)
    theme_wanted = Signal(str)

    def __init__(self, window: QWidget, loader: BackgroundReader, upkeep: Upkeep, ask: Ask = offered) -> None:
        super().__init__(window, formatting.translate("Settings"), 480)
        self._loader, self._ask = loader, ask
        self._asked = ""
        self._bound = BoundFields()
        self._bound.changed.connect(lambda values: self._save(**values))
        body = QWidget()
        self._column = stack(parent=body, margins=(16, 12, 16, 12))
        self._make_look()
        self._column.addWidget(divider())
        self._make_model()
        self._column.addWidget(divider())
        self._make_planning()
        self.hosted, self.servers = HostedServices(loader), McpServers(loader)
        self.results, self.limits = ResultOptions(loader, upkeep), LimitOptions()
        for heading, part in (
            (self.tr("Downloads and long runs"), self.limits),
            (self.tr("Services on servers"), self.hosted),
            (self.tr("Tools of other programs (MCP)"), self.servers),
            (self.tr("Results"), self.results),
        ):
            self._column.addWidget(divider())
            self._heading(heading)
            part.changed.connect(lambda values: self._save(**values))
            self._column.addWidget(part)
        self.trouble = label("", "error", True)
        self.trouble.hide()
        self._column.addWidget(self.trouble)
        self._column.addStretch(1)
        self.set_body(body)
        self.refresh()

    # Look

    def _make_look(self) -> None:
        self.themes = _Choices((("dark", self.tr("Dark")), ("light", self.tr("Light"))))
        self.themes.chosen.connect(self._take_theme)
        self.scales = _Choices(tuple((scale, f"{scale:.0%}".replace("%", " %")) for scale in SCALES))
        self.scales.chosen.connect(lambda scale: self._save(scale=scale))
        self._heading(self.tr("Look"))
        self._line(self.tr("Theme"), self.themes)
        self._line(self.tr("Size"), self.scales)
        names = {language: LANGUAGE_NAMES.get(language) or self.tr("System") for language in LANGUAGES}
        tip = self.tr("The language of the window and of the answers")
        self.languages = self._bound.choice("language", names, tip)
        self._line(self.tr("Language"), self.languages)

    def _take_theme(self, name: str) -> None:
        self._save(theme=name)
        self.theme_wanted.emit(name)

    # Language model

    def _make_model(self) -> None:
        self._heading(self.tr("Language model"))
        said = self.tr("Optional: freer wording of requests and answers. Without one, everything is planned offline.")
        self._column.addWidget(label(said, "secondary", True))
        self.preset = QComboBox()
        self.preset.addItem(self.tr("None"), "")
        self.preset.addItem(self.tr("A model on this computer"), LOCAL)
        for preset in PRESETS:
            self.preset.addItem(preset.name, preset.url)
        self.preset.addItem(self.tr("Other server"), _OTHER)
        self.preset.activated.connect(self._take_preset)
        self.url = QLineEdit(placeholderText="http://localhost:11434/v1")
        self.url.editingFinished.connect(self._take_model)
        self.model = QComboBox(editable=True, insertPolicy=QComboBox.InsertPolicy.NoInsert)
        field = self.model.lineEdit()
        assert field is not None
        field.setPlaceholderText(self.tr("Name of the model"))
        field.editingFinished.connect(self._take_model)
        self.model.activated.connect(self._take_model)
        self._column.addLayout(self._named(self.tr("Runs on"), self.preset))
        self._fields = QWidget()
        column = stack(
            self._named(self.tr("Address"), self.url),
            self._named(self.tr("Model"), self.model),
            self._named(self.tr("Thinks"), self._make_effort()),
            *self._make_numbers(),
            parent=self._fields,
        )
        self.price = QLineEdit()
        self.price.editingFinished.connect(self._take_price)
        column.addLayout(self._named(self.tr("Price"), self.price))
        self.key = KeyField(self._loader)
        self.key.changed.connect(lambda: self.changed.emit(settings_file.load()))
        column.addLayout(self._named(self.tr("Key"), self.key))
        self.test = Button(self.tr("Test"), "activity", small=True, tip=self.tr("Ask the server for its models"))
        self.test.clicked.connect(self._test)
        self.outcome = Words()
        self.outcome.setProperty("role", "small")
        tests = row(self.test, self.outcome, gap=10, grow=1)
        column.addLayout(tests)
        self._override = label("", "caption", True)
        self.local = LocalModels()
        self.local.chosen.connect(lambda id: self._save(llm_url=LOCAL, llm_model=id))
        self._column.addWidget(self._fields)
        self._column.addWidget(self.local)
        self._column.addWidget(self._override)

    def _take_price(self) -> None:
        """Keeps what was typed for this model, as `2.5 / 10`; empty for what is listed."""
        model, text = self.model.currentText().strip(), self.price.text().strip()
        own = {name: list(price) for name, price in settings_file.saved().llm_prices.items() if name != model}
        numbers = [part.strip().lstrip("$") for part in text.split("/")]
        try:
            typed = [float(number) for number in numbers] if text else []
        except ValueError:
            typed = [-1.0]
        if text and (len(typed) != 2 or not all(0 <= number < 1e6 for number in typed)):
            said = self.tr("A price is two numbers, dollars for a million tokens sent and received, such as 2.5 / 10.")
            self._show_outcome(said, "state.failed")
            return
        self._show_outcome("", "")
        self._save(llm_prices=own | ({model: typed} if text else {}))
        self._show_price()

    def _show_price(self) -> None:
        """The user's own price; else the listed one, with its date."""
        saved, now = settings_file.saved(), settings_file.load()
        own = saved.llm_prices.get(now.llm_model)
        self.price.setText(" / ".join(f"{number:g}" for number in own) if own else "")
        known = prices.price(now.llm_url, now.llm_model)
        listed = self.tr("not known")
        if known is not None:
            told = self.tr("{sent} / {received}, as listed on {date}") if known.sent else self.tr("free")
            date = prices.listed()["date"]
            listed = told.format(sent=f"{known.sent:g}", received=f"{known.received:g}", date=date)
        self.price.setPlaceholderText(listed)
        self.price.setToolTip(self.tr("US dollars for a million tokens: sent / received. Empty counts what is listed"))

    def _make_effort(self) -> QComboBox:
        names = {
            "": self.tr("As the model does by itself"), "minimal": self.tr("Hardly"), "low": self.tr("A little"),
            "medium": self.tr("Some"), "high": self.tr("Long"),
        }  # fmt: skip
        tip = self.tr("How long a model that thinks does so before it answers")
        self.effort = self._bound.choice("llm_effort", names, tip)
        return self.effort

    def _make_numbers(self) -> list[QHBoxLayout]:
        self.numbers: dict[str, QSpinBox] = {}
        lines = []
        for setting, name, least, most, unit in (
            ("llm_context", self.tr("Context"), 0, 2_000_000, self.tr(" tokens")),
            ("llm_seconds", self.tr("Waits"), 5, 3600, self.tr(" s")),
            ("llm_total_seconds", self.tr("At most"), 5, 36_000, self.tr(" s")),
        ):
            zero = self.tr("As the server says") if least == 0 else ""
            self.numbers[setting] = self._bound.number(setting, name, least, most, unit, zero)
            lines.append(self._named(name, self.numbers[setting]))
        return lines

    def _take_preset(self, index: int) -> None:
        self._show_outcome("", "")
        kind = self.preset.itemData(index)
        self.url.setText("" if kind in ("", LOCAL, _OTHER) else kind)
        self.model.clear()
        self._show_fields(kind)
        if kind == LOCAL:
            self._save(llm_url=LOCAL, llm_model=self.local.show_model(""))
        else:
            self._save(llm_url=self.url.text(), llm_model="")
            self._show_price()
        self.place()
        if kind == _OTHER:
            self.url.setFocus()

    def _show_fields(self, kind: str) -> None:
        """Address, key and test belong to servers, the list of the catalogue to this computer."""
        if kind not in ("", LOCAL):
            self.key.show_server(self.url.text().strip())
        self._fields.setVisible(kind not in ("", LOCAL))
        self.local.setVisible(kind == LOCAL)

    def _take_model(self, *_: Any) -> None:
        url, model = self.url.text().strip(), self.model.currentText().strip()
        saved = settings_file.saved()
        if settings_file.has_login(url):
            said = self.tr("Take user name and password out of the address. A key goes into its own field.")
            self._show_outcome(said, "state.failed")
            return
        url = saved.llm_url if url == settings_file.shown(saved.llm_url) else url
        if (url, model) != (saved.llm_url, saved.llm_model):
            self._save(llm_url=url, llm_model=model)
            self._show_preset(url)
            self._show_price()

    def _test(self) -> None:
        self._take_model()
        url = self.url.text().strip()
        if settings_file.has_login(url):
            return
        now = settings_file.load().llm_url
        url = now if url == settings_file.shown(now) else url
        self._asked = url
        abilities.forget(url)
        self.test.setEnabled(False)
        self._show_outcome(self.tr("Asking…"), "")
        self._loader.run(lambda: self._ask(url, credentials.key_for(url)), partial(self._tested, url))

    def _tested(self, url: str, found: object) -> None:
        self.test.setEnabled(True)
        if url != self._asked:
            return
        if isinstance(found, tuple):
            self._show_models(found)
        else:
            self._show_outcome(formatting.said(str(found)), "state.failed")

    def _show_models(self, found: tuple[str, ...]) -> None:
        chosen = self.model.currentText().strip()
        self.model.blockSignals(True)
        self.model.clear()
        self.model.addItems(found)
        self.model.setEditText(chosen)
        self.model.blockSignals(False)
        count = self.tr("1 model") if len(found) == 1 else self.tr("{n} models").format(n=len(found))
        if not found:
            self._show_outcome(self.tr("It answers, but offers no model. Load one there first."), "state.input")
        elif not chosen:
            self._show_outcome(self.tr("It answers with {count}. Choose one above.").format(count=count), "state.done")
        elif chosen in found:
            self._show_outcome(self.tr("It answers, and offers {model}.").format(model=chosen), "state.done")
        else:
            said = self.tr("It answers with {count}, but none is called {model}.")
            self._show_outcome(said.format(count=count, model=chosen), "state.input")

    def _show_outcome(self, text: str, tone: str) -> None:
        self.outcome.set_tone(tone)
        self.outcome.setText(text)
        self.place()

    # Planning

    def _make_planning(self) -> None:
        names = {
            "greedy": self.tr("Greedy – the first way found"),
            "beam": self.tr("Beam – a few ways side by side"),
            "adaptive": self.tr("Adaptive – as far as it is worth it"),
            "exhaustive": self.tr("Exhaustive – every way, slower"),
        }
        self.strategy = self._bound.choice("strategy", names)
        modes = {mode: mode_words()[mode] for mode in PLAN_MODES}
        self.mode = self._bound.choice("plan_mode", modes, self.tr("How requests are planned"))
        self._heading(self.tr("Planning"))
        self._column.addLayout(self._named(self.tr("Mode"), self.mode))
        self._column.addLayout(self._named(self.tr("Search"), self.strategy))
        said = self.tr("When a result is not as asked, try the next alternative once")
        self.next_way = self._bound.tick("try_next_way", said)
        self._column.addWidget(self.next_way)
        self.steps = StepwiseOptions()
        self.steps.changed.connect(lambda values: self._save(**values))
        self._column.addWidget(self.steps)

    # Showing and saving

    def open_below(self, anchor: QWidget) -> None:
        self.refresh()
        super().open_below(anchor)
        self.results.measure()

    def first_focus(self) -> QWidget:
        return self.themes.buttons[0]

    def refresh(self) -> None:
        saved, now = settings_file.saved(), settings_file.load()
        self.themes.show_value(saved.theme)
        self.scales.show_value(min(SCALES, key=lambda scale: abs(scale - saved.scale)))
        self._bound.show_settings(saved)
        self.steps.show_settings(saved)
        self.local.show_model(now.llm_model)
        address = "" if now.llm_url == LOCAL else settings_file.shown(now.llm_url)
        if self.url.text() != address:
            self.url.setText(address)
        if self.model.currentText() != now.llm_model:
            self.model.setEditText(now.llm_model)
        self._show_preset(now.llm_url)
        self._show_price()
        self._show_override()
        self.results.show_settings(saved)
        self.limits.show_settings(saved)
        self.servers.show_settings(saved)
        self.hosted.show_settings(saved)

    def _show_preset(self, url: str) -> None:
        index = self.preset.findData(url)
        self.preset.setCurrentIndex(index if index >= 0 else self.preset.findData(_OTHER))
        self._show_fields(self.preset.currentData())

    def _show_override(self) -> None:
        names = [VARIABLES[name] for name in VARIABLES if settings_file.override(name)]
        self.preset.setEnabled(not names)
        self.url.setEnabled(not settings_file.override("llm_url"))
        self.model.setEnabled(not settings_file.override("llm_model"))
        self.local.setEnabled(not settings_file.override("llm_model"))
        said = self.tr("Set by {names} in the environment, which goes before what is chosen here.")
        self._override.setText(said.format(names=", ".join(names)))
        self._override.setVisible(bool(names))

    def _save(self, **values: Any) -> None:
        values = {name: value for name, value in values.items() if not settings_file.override(name)}
        try:
            now: Settings = settings_file.change(**values)
        except AppError as error:
            self.trouble.setText(formatting.said(str(error)))
            self.trouble.show()
            self.place()
            return
        self.trouble.hide()
        self.changed.emit(now)

    def _heading(self, text: str) -> None:
        self._column.addWidget(label(text, "heading"))

    def _line(self, name: str, widget: QWidget) -> None:
        self._column.addLayout(self._named(name, widget))

    def _named(self, name: str, what: QWidget | QHBoxLayout) -> QHBoxLayout:
        said = label(name, "secondary")
        said.setFixedWidth(px(72))
        if isinstance(what, QWidget):
            what.setAccessibleName(name)
        line = row(said, what, gap=10, grow=1)
        return line


class _Choices(QWidget):
    chosen = Signal(object)

    def __init__(self, choices: tuple[tuple[Any, str], ...]) -> None:
        super().__init__()
        self.buttons: list[PushButton] = []
        self._values = [value for value, _ in choices]
        flow = FlowLayout(px(6), self)
        for value, text in choices:
            button = PushButton(text)
            button.setProperty("choice", True)
            button.setCheckable(True)
            button.clicked.connect(lambda _=False, value=value: self._choose(value))
            self.buttons.append(button)
            flow.addWidget(button)

    def show_value(self, value: Any) -> None:
        for button, held in zip(self.buttons, self._values, strict=True):
            button.setChecked(held == value)

    def _choose(self, value: Any) -> None:
        self.show_value(value)
        self.chosen.emit(value)


class LimitOptions(BoundFields):
    def __init__(self) -> None:
        super().__init__()
        size, time, never = (
            self.tr("Ask before downloads of more than"), self.tr("Ask before runs of more than"), self.tr("never ask"),
        )  # fmt: skip
        self.gb = self.number("ask_gb", size, 0, _MOST_GB, " GB", never)
        self.minutes = self.number("ask_minutes", time, 0, _MOST_MINUTES, self.tr(" min"), never)
        column = stack(parent=self, gap=6)
        for name, field in ((size, self.gb), (time, self.minutes)):
            field.setFixedWidth(px(_WIDTH))
            column.addLayout(row(label(name, "secondary"), None, field, gap=10))


class StepwiseOptions(BoundFields):
    def __init__(self) -> None:
        super().__init__()
        self._allowed: tuple[str, ...] = ()
        tip = self.tr("Each step waits for your word before it runs")
        self.approval = self.tick("step_approval", self.tr("Step by step: ask before each step"), tip)
        self.pictures = QCheckBox(self.tr("Let the language model see pictures unasked"))
        said = self.tr("It is shown small pictures of the results of steps, and tools may send it what they look at")
        self.pictures.setToolTip(said)
        self.pictures.clicked.connect(self._take_pictures)
        self.steps = self.number("step_most", self.tr("Most steps for a request"), 1, 100)
        self.seconds = self.number("step_seconds", self.tr("Most seconds for a request"), 10, 36_000)
        self.tokens = self.number("step_tokens", self.tr("Most tokens for a request"), 1000, 10_000_000)
        column = stack(self.approval, self.pictures, parent=self, gap=6)
        ends = row(gap=6)
        for field, unit, step in (
            (self.steps, self.tr("steps"), 1),
            (self.seconds, self.tr("seconds"), 30),
            (self.tokens, self.tr("tokens"), 1000),
        ):
            field.setSingleStep(step)
            ends.addWidget(field, 1)
            ends.addWidget(label(unit, "caption"))
        column.addWidget(label(self.tr("A request that goes step by step ends after"), "secondary"))
        column.addLayout(ends)

    def _take_pictures(self, on: bool) -> None:
        self._allowed = (*(one for one in self._allowed if one != CONNECTED[1]), *((CONNECTED[1],) if on else ()))
        self.changed.emit({"outside_allowed": self._allowed})

    def show_settings(self, settings: Settings) -> None:
        super().show_settings(settings)
        self._allowed = settings.outside_allowed
        self.pictures.setChecked(CONNECTED[1] in self._allowed)


class LocalModels(QWidget):
    """`chosen(id)` when the user takes another one."""

    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.list = QComboBox()
        self.list.setAccessibleName(self.tr("Model"))
        self.list.setToolTip(self.tr("Small models plan simple requests; larger ones understand more and take longer"))
        self.list.activated.connect(self._take)
        self._glyph, self.state = Glyph(14), Words()
        self.state.setProperty("role", "caption")
        name = label(self.tr("Model"), "secondary")
        name.setFixedWidth(px(72))
        line = row(name, self.list, gap=10, grow=1)
        about = row(82, self._glyph, self.state, gap=6, grow=2)  # below the list
        stack(line, about, parent=self)

    @store.one_look()
    def show_model(self, id: str) -> str:
        """Shows the model of that id, without one the one to begin with; returns the id that is shown."""
        there = {model.id: model for model in chat_models()}
        present = {id for id, model in there.items() if store.present(model)}
        self.list.clear()
        for model in there.values():
            self.list.addItem(self._said(model, model.id in present), model.id)
        first = proposed()
        id = id or (first.id if first else "")
        self.list.setCurrentIndex(self.list.findData(id))
        self._show_state(there.get(id), id in present)
        return id

    def _said(self, model: Model, present: bool) -> str:
        """`Qwen2.5 0.5B Instruct · 1.0 GB · on this computer`."""
        where = self.tr("on this computer") if present else self.tr("not downloaded")
        return f"{model.title} · {formatting.size(model.size_bytes)} · {where}"

    def _show_state(self, model: Model | None, present: bool) -> None:
        self._glyph.set_state("done" if present else "waiting")
        if model is None:
            self.state.setText(self.tr("This model is not in the catalogue. Choose another one."))
            return
        takes = self.tr("Takes about {size} of memory. Nothing leaves this computer, and no key is needed.")
        said = takes.format(size=formatting.size(model.memory_bytes))
        if not present:
            how = self.tr("To get it: {command}. Until then, everything is planned offline.")
            said = f"{how.format(command=f'graphwright models download {model.id}')} {said}"
        self.state.setText(said)

    def _take(self, index: int) -> None:
        self.chosen.emit(self.show_model(self.list.itemData(index)))
