"""Cutting text into sentences, telling languages apart, and the sentence-choosing tools, on real texts."""

from __future__ import annotations

import importlib
import itertools
from functools import partial
from pathlib import Path

import pytest

from nodes._support.inference import connected
from nodes._support.language.languages import detect, language_of
from nodes._support.language.sentences import annotated, joined, paragraphs, sentences
from nodes.api import NodeError, RunContext
from nodes.text.anonymise_text import anonymise_text
from nodes.text.answer_from_text import answer_from_text
from nodes.text.bullet_points import bullet_points
from nodes.text.detect_language import detect_language
from nodes.text.entities import entities
from nodes.text.find_places import find_places as find_places_with
from nodes.text.find_topics import find_topics
from nodes.text.keywords import keywords
from nodes.text.sentiment import sentiment
from nodes.text.summarise import by_connected_model, summarise
from nodes.text.title_text import title_text
from tests.nodes.text_samples import CHINESE, FRENCH, GERMAN, SOLAR, SPANISH

find_places = partial(find_places_with, context=RunContext(Path()))
CUT = {
    "titles and decimals": (
        "Dr. Smith paid $3.50 for it. He left at 5 p.m. Everyone cheered.",
        ["Dr. Smith paid $3.50 for it.", "He left at 5 p.m.", "Everyone cheered."],
    ),
    "acronyms and initials": (
        "The U.S. Government met J. R. Tolkien. She lives in the U.S. She likes it.",
        ["The U.S. Government met J. R. Tolkien.", "She lives in the U.S.", "She likes it."],
    ),
    "quotes with several sentences stay whole": (
        'He said: "I am here. You are there." Then he left. "Where to?" John asked. (Really? Yes!)',
        ['He said: "I am here. You are there."', "Then he left.", '"Where to?" John asked.', "(Really? Yes!)"],
    ),
    "company names": (
        "Apple Inc. shares fell. The firm is Apple Inc. The year was good.",
        ["Apple Inc. shares fell.", "The firm is Apple Inc.", "The year was good."],
    ),
    "numbers": (
        "See Fig. 3 and No. 5. That was in 1999. Visit example.com for v2.0. Done!",
        ["See Fig. 3 and No. 5.", "That was in 1999.", "Visit example.com for v2.0.", "Done!"],
    ),
    "typed in small letters": (
        "approx. ten people came. they left early. We met the dept. of health in the Hauptstr. gegenüber, milk etc. "
        "and so on.",
        ["approx. ten people came.", "they left early.",
         "We met the dept. of health in the Hauptstr. gegenüber, milk etc. and so on."],
    ),
    "Chinese quotations": ("今天很好。“走吧。”他说。我们走了！", ["今天很好。", "“走吧。”", "他说。", "我们走了！"]),
    "ellipses and marks": ("Wait... What?! No way.", ["Wait...", "What?!", "No way."]),
    "German": (
        "Am 3. Mai kam Dr. Müller, z. B. mit dem Zug. Der 2. Weltkrieg endete 1945. „Halt!“, rief er. Es war "
        "ca. 5 Uhr.",
        ["Am 3. Mai kam Dr. Müller, z. B. mit dem Zug.", "Der 2. Weltkrieg endete 1945.", "„Halt!“, rief er.",
         "Es war ca. 5 Uhr."],
    ),
    "French": (
        "M. Dupont est arrivé. Il a dit : « Bonjour. Ça va ? » Puis il est parti. L’eau est froide !",
        ["M. Dupont est arrivé.", "Il a dit : « Bonjour. Ça va ? » Puis il est parti.", "L’eau est froide !"],
    ),
    "Spanish": (
        "¿Dónde está? El Sr. López vive en la Av. Central. ¡Qué bien! Costó 1.500,50 euros.",
        ["¿Dónde está?", "El Sr. López vive en la Av. Central.", "¡Qué bien!", "Costó 1.500,50 euros."],
    ),
    "Chinese": (
        "今天天气很好。我们去公园吧！你说：“好的。走吧。”价格是3.14元。",
        ["今天天气很好。", "我们去公园吧！", "你说：“好的。走吧。”", "价格是3.14元。"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CUT)
def test_sentences_are_cut_where_a_reader_would(case):
    text, wanted = CUT[case]
    assert sentences(text) == wanted


def test_lines_broken_for_width_are_joined_and_list_items_are_not():
    text = "Title here\n\nThis line was\nwrapped for width and con-\ntinues here. Next.\n- item one\n- item two"
    assert paragraphs(text) == [
        "Title here", "This line was wrapped for width and continues here. Next.", "- item one", "- item two",
    ]  # fmt: skip
    assert [s.heading for s in annotated(text)] == [True, False, False, True, True]


def test_chinese_sentences_are_joined_without_spaces():
    assert joined(["你好。", "再见。"]) == "你好。再见。" and joined(["Hi.", "Bye."]) == "Hi. Bye."


GREETINGS = {
    "en": "Where is the station?", "de": "Guten Morgen", "fr": "Où est la gare ?", "es": "Buenos días",
    "it": "Il gatto dorme sul divano.", "pt": "O cachorro corre no parque.", "nl": "Waar is het station?",
    "sv": "Katten sover på soffan och hunden är ute.", "da": "Jeg kan godt lide at læse bøger.",
    "nb": "Jeg liker å lese bøker.", "fi": "Missä on rautatieasema?", "pl": "Gdzie jest dworzec?",
    "cs": "Kde je nádraží?", "ro": "Bună dimineața", "hu": "Hol van a pályaudvar?", "tr": "İstasyon nerede?",
    "id": "Di mana stasiun kereta?", "ru": "Где находится вокзал?", "uk": "Де знаходиться вокзал?",
    "zh": "你好，世界", "ja": "東京都に行きます", "ko": "안녕하세요", "ar": "صباح الخير",
    "el": "Καλημέρα", "he": "בוקר טוב",
    "hi": "नमस्ते", "th": "สวัสดี",
}  # fmt: skip


@pytest.mark.parametrize("code", GREETINGS)
def test_language_of_a_short_phrase_is_known(code):
    assert language_of(GREETINGS[code]) == code


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Ilm on täna väga ilus ja me läheme randa.", "Estonian"),
        ("Laiks šodien ir ļoti jauks un mēs ejam uz pludmali.", "Latvian"),
        ("Danas je lijepo vrijeme i idemo na plažu.", "Croatian"),
        ("Днес времето е хубаво и отиваме на плажа.", "Bulgarian"),
        ("Hôm nay trời đẹp và chúng tôi đi biển.", "Vietnamese"),
        ("Die weer is vandag mooi en ons gaan strand toe.", "Afrikaans"),
        ("Danke", "German"),
        ("你好", "Chinese"),
        ("火车八点从二号站台出发", "Chinese"),
        ("佢喺屋企食緊飯", "Cantonese"),
    ],
)
def test_language_tool_knows_languages_without_a_word_list(text: str, name: str):
    assert detect_language(text)[0].name == name


def test_language_tool_is_not_sure_of_a_word_or_two():
    assert all(detect_language(text)[0].score < 0.7 for text in ("ok", "hotel", "radio"))


def test_language_tool_gives_names_with_probabilities():
    labels = detect_language(GERMAN)
    assert labels[0].name == "German" and labels[0].score > 0.99
    assert sum(chance for _, chance in detect("Hello, bonjour, hola")) <= 1.0001
    with pytest.raises(NodeError, match="no letters"):
        detect_language("123 456")


@pytest.mark.parametrize("text", [SOLAR, GERMAN, FRENCH, SPANISH, CHINESE], ids=["en", "de", "fr", "es", "zh"])
@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_summary_has_exactly_as_many_sentences_word_for_word_in_order(text, count):
    whole = sentences(text)
    chosen = sentences(summarise(text, count))
    assert len(chosen) == count
    places = [whole.index(sentence) for sentence in chosen]
    assert places == sorted(places)


def test_summary_takes_the_news_and_leaves_the_weather():
    summary = summarise(SOLAR, 3)
    assert summary.startswith("The European Union installed a record 56 gigawatts")
    assert "weather was mild" not in summary and "Solar power in Europe" not in summary
    assert "Ayer llovió" not in summarise(SPANISH, 3)
    assert "昨天天气很好" not in summarise(CHINESE, 3)


def test_summary_of_a_short_text_is_the_text():
    assert summarise("One sentence.  Two   sentences.", 5) == "One sentence. Two sentences."


def test_summary_does_not_repeat_itself():
    text = " ".join(
        ["The red bridge was closed on Monday for repairs."] * 5 + ["Ferries carry the passengers instead."]
    )
    assert (
        summarise(text, 2) == "The red bridge was closed on Monday for repairs. Ferries carry the passengers instead."
    )


def test_bullet_points_are_lines_with_bullets():
    lines = bullet_points(SOLAR, 4).split("\n")
    assert len(lines) == 4 and all(line.startswith("• ") and line[2:] in sentences(SOLAR) for line in lines)


def test_keywords_name_the_subject():
    found = keywords(SOLAR, 8)
    names = [label.name.lower() for label in found]
    assert names[0] == "solar" and "panels" in names and found[0].score == 1.0 and len(found) == 8
    assert all(a.score >= b.score for a, b in itertools.pairwise(found))
    assert not {"the", "that", "which", "more"} & set(names)
    assert keywords(GERMAN, 3)[0].name == "Straßenbahn" and keywords(CHINESE, 3)[0].name == "人工智能"
    assert "panadería" in [label.name for label in keywords(SPANISH, 2)]


def test_title_is_the_heading_or_a_short_line_from_the_text():
    assert title_text(SOLAR) == "Solar power in Europe"
    cut = title_text(SOLAR.split("\n\n", 1)[1])
    assert cut == "The European Union installed a record 56 gigawatts"
    assert len(title_text(GERMAN, 40)) <= 40 and not title_text(GERMAN).endswith(".")


def test_a_heading_that_any_text_may_have_is_no_title():
    text = "1. Introduction\n\nThe company sold more bicycles than ever before. Revenue rose by 12 percent."
    assert title_text(text) == "The company sold more bicycles than ever before"


MOODS = {
    "I love this phone, it is great!": "positive",
    "This is the worst hotel ever.": "negative",
    "The train leaves at nine.": "neutral",
    "not bad at all :)": "positive",
    "Das Essen war nicht gut.": "negative",
    "Ein wunderbarer Abend, vielen Dank, wir waren sehr zufrieden.": "positive",
    "Le film était vraiment magnifique.": "positive",
    "No me gustó nada, fue horrible.": "negative",
    "Il servizio era pessimo e la camera sporca.": "negative",
    "这家餐厅很好吃，服务也很热情。": "positive",
    "这部电影不好看，太无聊了。": "negative",
}


@pytest.mark.parametrize("text", MOODS)
def test_sentiment_is_that_of_a_reader(text):
    labels = sentiment(text)
    assert labels[0].name == MOODS[text]
    assert sum(label.score for label in labels) == pytest.approx(1, abs=0.001)


def test_what_no_word_of_the_lists_judges_is_neutral_without_being_sure():
    labels = sentiment("I bought this kettle in May and it leaks.")
    assert labels[0].name == "neutral" and labels[0].score <= 0.5


@pytest.mark.parametrize(
    ("mood", "text"),
    [
        ("positive", "Never had a single problem with it."),
        ("positive", "In two weeks we didn't have a single bad meal."),
        ("negative", "It was never a good idea."),
        ("negative", "The lid broke after three days and nobody answered my mail."),
        ("negative", "Never again. I returned it the next day."),
        ("positive", "It arrived early and the children do not want to stop playing with it."),
        ("negative", "Das Gerät ging nach zwei Wochen kaputt."),
        ("negative", "El móvil dejó de funcionar a la semana."),
        ("positive", "Отличная книга, очень понравилась."),
        ("negative", "すぐに壊れました。最悪です。"),
    ],
)
def test_sentiment_is_told_by_what_is_meant_where_no_word_of_a_list_stands(mood, text):
    assert sentiment(text)[0].name == mood


def test_sentiment_refuses_a_language_without_word_list():
    with pytest.raises(NodeError, match="Finnish") as raised:
        sentiment("Tämä on todella hyvä kirja ja pidän siitä paljon.")
    assert raised.value.port == "text"


QUESTIONS = {
    "Who is an analyst?": "Dr. Walter Huber",
    "How many gigawatts did Germany install?": "14.1 gigawatts",
    "How many projects are waiting in the Netherlands?": "10,000",
    "When was the record set?": "2023",
    "Why did it grow?": "main reason",
    "What does the industry group want from governments?": "invest in batteries",
    "Which cuntry led the expansoin?": "Germany",
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_sentence_that_holds_the_answer_is_found(question):
    answer = answer_from_text(SOLAR, question)
    assert QUESTIONS[question] in answer and answer in sentences(SOLAR)


def test_answers_in_other_languages():
    assert "240 Mio. Euro" in answer_from_text(GERMAN, "Was kostet die Straßenbahn?")
    assert "M. Lefèvre" in answer_from_text(FRENCH, "Qui est le directeur du musée ?")
    assert "de su abuela" in answer_from_text(SPANISH, "¿De quién es la receta?")


def test_a_question_about_something_else_is_refused():
    with pytest.raises(NodeError) as raised:
        answer_from_text(SOLAR, "Where do penguins sleep?")
    assert raised.value.port == "question"


@pytest.mark.parametrize(
    ("text", "question", "says"),
    [
        ("Heating alone cost 88,000 euros. The town has promised money for a heat pump.", "about heating?", "Heating"),
        ("Heating alone cost 88,000 euros. The town has promised money for a heat pump.", "about heat?", "heat pump"),
        ("Die Heizung ist alt. Die Heizungen im Hof werden ersetzt.", "Was steht da über Heizungen?", "Heizungen"),
    ],
)
def test_a_word_as_it_was_asked_for_comes_before_one_of_its_kind(text, question, says):
    assert says in answer_from_text(text, question)


@pytest.mark.parametrize(
    ("letter", "question", "name"),
    [
        ("Dear Mrs Okafor,\n\nplease send the plan.\n\nYours sincerely,\n\nMartin Feldkamp, Head of Department",
         "who signed it?", "Martin Feldkamp"),
        ("Sehr geehrte Frau Okafor,\n\nbitte senden Sie den Plan.\n\nMit freundlichen Grüßen\n\nMartin Feldkamp",
         "Wer hat das unterschrieben?", "Martin Feldkamp"),
        ("Madame,\n\nenvoyez le plan.\n\nCordialement,\n\nClaire Dubois", "Qui a signé la lettre ?", "Claire Dubois"),
        ("尊敬的王女士：\n\n请寄来图纸。\n\n此致敬礼\n\n李明", "这封信是谁签名的？", "李明"),
    ],
)  # fmt: skip
def test_who_signed_a_letter_stands_below_its_greeting(letter, question, name):
    assert name in answer_from_text(letter, question)


REPORT = """Report of the committee on the new bridge

The committee

The committee met on 3 May. After two hours it chose the northern site. Work begins in June.

Costs of the bridge

It will take 12 million euros, most of it from the state."""


def test_a_heading_is_no_answer_and_points_to_what_is_below():
    assert answer_from_text(REPORT, "What did the committee choose?") == "After two hours it chose the northern site."
    assert "12 million" in answer_from_text(REPORT, "What are the costs of the bridge?")
    chinese = "关于新桥的报告\n\n委员会的决定\n\n两小时后，委员会选择了北部地点。\n\n桥的费用\n\n耗资一千二百万欧元。"
    assert "北部" in answer_from_text(chinese, "委员会选择了什么？")
    assert "一千二百万" in answer_from_text(chinese, "桥的费用是多少？")


def test_the_text_itself_is_no_question():
    for text, question in ((SOLAR, SOLAR), ("report.pdf", SOLAR)):
        with pytest.raises(NodeError, match="no question") as raised:
            answer_from_text(text, question)
        assert raised.value.port == "question"


def test_a_line_below_the_title_tells_who_and_when():
    page = "The Harbour Manifesto\n\nWritten by Ada King\nRevised 01/06/94\n\nWhat is a harbour?\n\nA harbour is a "
    page += "place for ships. The manifesto is sold by the museum."
    assert answer_from_text(page, "Who wrote the manifesto?") == "Written by Ada King"
    assert answer_from_text(page, "When was the manifesto revised?") == "Revised 01/06/94"
    assert "museum" in answer_from_text(page, "Who sells the manifesto?")


def test_praise_beside_blame_is_not_called_positive():
    review = "It looked nice and the delivery was fast. But it stopped working after two days. Nobody answers my mails."
    assert sentiment(review)[0].name != "positive"


def test_sentiment_of_an_unknown_language_is_refused_and_not_read_as_english():
    with pytest.raises(NodeError, match="Latvian"):
        sentiment("Laiks šodien ir ļoti jauks un mēs ejam uz pludmali.")


def test_entities_of_chinese_are_names_and_not_clauses():
    named = {
        row[1] for row in entities("昨天，李华老师在北京大学讲了课。会议由中国银行主办，大家都很高兴。", "name").rows
    }
    assert named == {"李华", "北京大学", "中国银行"}
    assert not entities("这是我们第一次去那里，天气非常好，大家都很高兴。", "name").rows


@pytest.mark.parametrize(
    "text",
    [
        "黄色的信号灯亮了，请核对金额、方向和高度，再按下许可按钮。",
        "陈列室里摆着几件古代青铜器，城市里的东西很多，周围很安静。",
        "每张图片都有长度和深度，单元格里写着胡萝卜的价格。",
    ],
)
def test_common_chinese_words_are_no_names(text):
    assert not entities(text, "name").rows and anonymise_text(text) == text


def test_chinese_names_are_found_whole_though_their_parts_are_words():
    text = "昨天钟建华和刘浩然在会议室谈了很久，记录由谢志刚整理，林卫东没来。"
    assert [row[1] for row in entities(text, "name").rows] == ["钟建华", "刘浩然", "谢志刚", "林卫东"]


def test_entities_of_chinese_without_a_cue_and_among_characters():
    found = entities("张伟昨天在杭州见到了任正非，给了他300元，电话13812345678。")
    assert [row[:2] for row in found.rows] == [
        ("name", "张伟"), ("name", "杭州"), ("name", "任正非"), ("money", "300元"), ("phone", "13812345678")
    ]  # fmt: skip


def test_keywords_of_chinese_are_words():
    text = "城市图书馆明年开放。图书馆有三千本书和一个咖啡馆。市长说，图书馆免费。"
    names = [label.name for label in keywords(text)]
    assert names[0] == "图书馆" and set(names) <= {"城市", "图书馆", "咖啡馆", "市长", "开放", "免费"}


def test_a_page_header_is_no_title():
    header = "Annual report 2024"
    pages = [f"{header}\n{n}\n\nThe river rose again in May and the old mill was flooded.\n" for n in range(1, 4)]
    assert header not in title_text("\n\n".join(pages))


@pytest.mark.parametrize("header", ["Works GmbH · Seite 1 von 3", "Page 2 of 5 – Harbour News", "- 7 -", "第 3 页"])
def test_a_line_with_the_number_of_the_page_is_neither_title_nor_point(header):
    text = f"{header}\n\nThe harbour in 2024\n\nThe harbour grew by a third. Two cranes were bought."
    assert title_text(text) == "The harbour in 2024"
    assert bullet_points(text).splitlines() == ["• The harbour grew by a third.", "• Two cranes were bought."]
    assert header not in summarise(text)


TWO_SUBJECTS = (
    "The harbour will be dredged next year. Ships of more than 300 metres need a deeper harbour. The ships pay a fee. "
    "Larger ships bring more containers to the harbour.\n\nThe school kitchen cooks for 400 pupils. The "
    "pupils choose between two meals. The kitchen buys vegetables near the school. Two pupils help in the "
    "kitchen on Fridays."
)


def test_topics_are_the_words_that_occur_together_with_their_share():
    first, second = find_topics(TWO_SUBJECTS, 2)
    named = [set(topic.name.split(", ")) for topic in (first, second)]
    assert {"harbour", "ships"} <= named[0] | named[1] and {"kitchen", "pupils"} <= named[0] | named[1]
    assert all(len({"harbour", "kitchen"} & one) == 1 for one in named)
    assert first.score + second.score == pytest.approx(1, abs=1e-3) and second.score > 0.3
    assert len(find_topics("A word.", 5)) == 1


def test_large_towns_and_countries_are_places_in_several_languages():
    text = "We flew from Lisbon to Oslo, then drove through Norway. Danach ging es nach Österreich. Puis à Grenoble."
    assert find_places(text).splitlines() == ["Lisbon", "Oslo", "Norway", "Österreich", "Grenoble"]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("« Nous avons tout refait, et le musée est méconnaissable », a dit le directeur du musée.", "Nous avons tout"),
        ("“We rebuilt the whole museum of the harbour.”", "We rebuilt the whole museum of the harbour"),
    ],
)
def test_a_title_begins_and_ends_without_a_stray_mark(text: str, title: str):
    made = title_text(text)
    assert made.startswith(title) and made == made.strip() and made[-1] not in ".»”"


@pytest.mark.parametrize(
    ("text", "title"),
    [(GERMAN, "Der Stadtrat von Bremen"), (FRENCH, "Le musée de la ville a rouvert"), (CHINESE, "人工智能正在改变")],
)
def test_the_title_of_a_report_is_what_it_begins_with(text: str, title: str):
    assert title_text(text).startswith(title)


def test_places_are_listed_once_in_their_order():
    text = "From Berlin to New York, back to Berlin and on to 48143 Münster. 然后去杭州。"
    assert find_places(text).splitlines() == ["Berlin", "New York", "Münster", "杭州"]
    with pytest.raises(NodeError, match="No place"):
        find_places("It rained all day.")


def test_chinese_numbers_stand_right_behind_their_word():
    rows = entities("手机号13957112233，2023年5月3日，12月15号，50元").rows
    assert [row[:2] for row in rows] == [
        ("phone", "13957112233"), ("date", "2023年5月3日"), ("date", "12月15号"), ("money", "50元"),
    ]  # fmt: skip


def test_small_places_are_hidden_and_what_may_be_left_is_told():
    context = RunContext(Path())
    hidden = anonymise_text("In July she moved to Kendal, near Windermere.", context=context)
    assert hidden == "In July she moved to [name 1], near [name 2]." and "read the text" in str(context.told[0])


def test_what_may_be_a_small_place_is_told():
    context = RunContext(Path())
    text = "Anna drove from Oban to Berlin in May and stayed with Tom near Grindelwald."
    assert find_places_with(text, context=context).splitlines() == ["Berlin"]
    assert str(context.told[0]).endswith("Oban, Grindelwald.")
    german, told = "In Zukunft fahren wir nach Hause und nicht nach Kleinmachnow oder Hamburg.", RunContext(Path())
    assert find_places_with(german, context=told) == "Hamburg" and str(told.told[0]).endswith(": Kleinmachnow.")


SHORT = {
    "I bought this kettle three weeks ago and the lid broke on the second day. I wrote to customer service twice and "
    "nobody ever answered. I will never buy from them again.": "kettle",
    "The doctor told me to sleep more and to drink less coffee. Since then my headaches have almost gone, and I can "
    "work better in the morning.": "headaches",
    "Our flight was cancelled because of the storm and we spent the night at the airport. The airline paid for a hotel "
    "only after we complained.": "flight",
}


@pytest.mark.parametrize("text", SHORT)
def test_the_first_key_word_of_a_short_text_says_what_it_is_about(text):
    assert importlib.import_module("nodes.text.keywords").keywords(text, 5)[0].name.lower() == SHORT[text]
    (topic,) = importlib.import_module("nodes.text.find_topics").find_topics(text)
    assert topic.name.lower().startswith(SHORT[text])


@pytest.mark.parametrize(
    ("written", "count", "kept"),
    [
        ("Dr. Meyer builds a bridge. It is wide. It is long.", 1, "Dr. Meyer builds a bridge."),
        ("It is wide. It is long.", 2, "It is wide. It is long."),
        ("A bridge, wide and long", 1, "A bridge, wide and long"),
        ("Summary\n\nIt is wide. It is long.", 1, "It is wide."),
    ],
)
def test_a_model_that_writes_more_sentences_than_asked_for_is_cut(monkeypatch, tmp_path, written, count, kept):
    orders = []
    monkeypatch.setattr(connected, "write", lambda order, context, text: orders.append(order) or written)
    assert by_connected_model("A long text.", count, "plain", context=RunContext(tmp_path)) == kept
    assert ("one sentence" in orders[0]) == (count == 1)
    assert by_connected_model("A long text.", count, "as e-mail", context=RunContext(tmp_path)) == written
    assert "e-mail" in orders[1]
