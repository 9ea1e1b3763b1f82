"""Services on servers in the settings, for pictures and sound: which model at which address does which work."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from urllib.parse import urlsplit

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QLineEdit, QWidget

from desktop_app.core import settings as settings_file
from desktop_app.core.settings import ENDPOINTS, HUGGING_FACE, OPENAI, Settings
from desktop_app.llm import credentials
from desktop_app.services.hosted import HUB
from desktop_app.ui.settings.api_key_edit import KeyField
from desktop_app.ui.settings.edit_form import EditForm
from desktop_app.ui.support.thread_pool import BackgroundReader
from desktop_app.ui.widgets.basic import ElidedLabel, IconButton, label, row, stack


class HostedServices(QWidget):
    """`changed` has the settings that the user changed, by name."""

    changed = Signal(object)

    def __init__(self, loader: BackgroundReader) -> None:
        super().__init__()
        self._services: dict[str, Mapping[str, str]] = {}
        self._edited = ""
        self.names = {
            "images": self.tr("Pictures from words"), "edits": self.tr("Changing pictures"),
            "speech": self.tr("Speaking"), "transcription": self.tr("Writing down speech"),
            "classification": self.tr("Naming what pictures show"), "detection": self.tr("Finding things in pictures"),
        }  # fmt: skip
        self.rows: dict[str, ServiceRow] = {}
        said = self.tr("Models on servers that may do the work of tools. You are asked before anything is sent there.")
        column = stack(label(said, "secondary", True), parent=self, gap=6)
        for service in ENDPOINTS:
            shown = self.rows[service] = ServiceRow(self.names[service])
            shown.edit.clicked.connect(partial(self.edit, service))
            shown.remove.clicked.connect(partial(self._remove, service))
            column.addWidget(shown)
        self.protocol = QComboBox()
        self.protocol.activated.connect(self._show_protocol)
        self.url, self.model, self.voice = QLineEdit(), QLineEdit(), QLineEdit()
        self.url.setPlaceholderText("https://api.openai.com/v1")
        self.url.editingFinished.connect(self._show_key)
        self.voice.setPlaceholderText("alloy")
        self.key = KeyField(loader, _key_variable)
        fields = {
            self.tr("Protocol"): self.protocol, self.tr("Address"): self.url, self.tr("Model"): self.model,
            self.tr("Voice"): self.voice, self.tr("Key"): self.key,
        }  # fmt: skip
        self.form = EditForm(fields, enters=False)
        self.form.kept.connect(self._keep)
        column.addWidget(self.form)

    def show_settings(self, settings: Settings) -> None:
        self._services = dict(settings.endpoints)
        for service, shown in self.rows.items():
            shown.show_service(self._services.get(service))

    def edit(self, service: str, *_: object) -> None:
        about = self._services.get(service, {})
        self._edited = service
        names = {OPENAI: self.tr("OpenAI-compatible"), HUGGING_FACE: self.tr("Hugging Face inference")}
        self.protocol.clear()
        for protocol in ENDPOINTS[service]:
            self.protocol.addItem(names[protocol], protocol)
        self.protocol.setCurrentIndex(max(0, self.protocol.findData(about.get("protocol", ""))))
        self.url.setText(about.get("url", ""))
        self.model.setText(about.get("model", ""))
        self.voice.setText(about.get("voice", ""))
        self.voice.setEnabled(service == "speech")
        self._show_protocol()
        self.form.open(self.url, self.names[service])

    def _show_protocol(self, *_: object) -> None:
        if self.protocol.currentData() == HUGGING_FACE and not self.url.text():
            self.url.setText(HUB)
        elif self.protocol.currentData() == OPENAI and self.url.text() == HUB:
            self.url.clear()
        self._show_key()

    def _show_key(self) -> None:
        self.key.show_server(self.url.text().strip())

    def _keep(self) -> None:
        url, model, protocol = self.url.text().strip(), self.model.text().strip(), self.protocol.currentData()
        if urlsplit(url).scheme not in ("http", "https") or not urlsplit(url).hostname:
            return self.form.refuse(self.tr("An address begins with http:// or https://."))
        if settings_file.has_login(url):
            return self.form.refuse(
                self.tr("Take user name and password out of the address. A key goes into its own field.")
            )
        if not model and (protocol == OPENAI or url == HUB):
            return self.form.refuse(self.tr("Name the model that does the work."))
        about = {"url": url, "model": model, "protocol": protocol}
        about |= {"voice": self.voice.text().strip()} if self._edited == "speech" and self.voice.text().strip() else {}
        self.form.hide()
        self._save({**self._services, self._edited: about})

    def _remove(self, service: str, *_: object) -> None:
        self._save({name: about for name, about in self._services.items() if name != service})

    def _save(self, services: Mapping[str, Mapping[str, str]]) -> None:
        self.changed.emit({"endpoints": services})
        self.show_settings(Settings(endpoints=services))


def _key_variable(url: str) -> str:
    return credentials.service_variable(url, settings_file.load().llm_url)


class ServiceRow(QWidget):
    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.edit = IconButton("pencil", self.tr("Change {name}").format(name=name), 24)
        self.remove = IconButton("x", self.tr("Remove {name}").format(name=name), 24)
        self.who = ElidedLabel("", "caption")
        line = row(label(name), self.who, self.edit, self.remove, gap=6, grow=1)
        stack(line, parent=self)

    def show_service(self, about: Mapping[str, str] | None) -> None:
        """Model and server; that there is none when it is None."""
        self.remove.setVisible(about is not None)
        host = urlsplit(about["url"]).netloc if about else ""
        said = self.tr("{model} at {host}").format(model=about.get("model", ""), host=host) if about else ""
        self.who.set_text((said if about and about.get("model") else host) or self.tr("none"))
