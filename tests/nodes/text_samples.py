"""Texts in several languages that the tests of the text tools read."""

from __future__ import annotations

SOLAR = """Solar power in Europe

The European Union installed a record 56 gigawatts of new solar capacity in 2023, according to figures published on
Tuesday by the industry group SolarPower Europe. That is 40 percent more than in the year before. Germany led the
expansion with 14.1 gigawatts, followed by Spain and Italy.

Falling prices for panels were the main reason for the growth, Dr. Walter Huber, an analyst at the Fraunhofer
Institute, said. A module that cost 0.30 euros per watt in 2022 now sells for about half of that. "We have never seen
prices drop so fast. It surprised everyone," he said.

The weather was mild in most regions. Many households bought panels to protect themselves against high electricity
bills. However, grid operators warn that the networks cannot keep up with the growth of solar capacity. In the
Netherlands, more than 10,000 projects are waiting for a connection to the grid.

The industry group expects slower growth in 2024. It calls on governments to invest in batteries and stronger grids so
that the solar electricity does not go to waste. European panel makers, meanwhile, struggle to compete with cheap
imports from China, and several factories have closed this year.
"""

GERMAN = """\
Der Stadtrat von Bremen hat am 3. Mai 2024 den Bau einer neuen Straßenbahn beschlossen. Die Linie soll ca. 12,5
Kilometer lang werden und z. B. die Universität mit dem Hafen verbinden. Frau Dr. Meyer, die Leiterin des
Verkehrsamts, nannte die Straßenbahn den wichtigsten Bau der letzten Jahre. Die Kosten der Straßenbahn betragen
rund 240 Mio. Euro. Viele Anwohner fürchten den Lärm der Bauarbeiten. Der Bau der Linie beginnt im Herbst und
dauert etwa vier Jahre."""

FRENCH = """\
Le musée de la ville a rouvert ses portes samedi après trois ans de travaux. M. Lefèvre, le directeur du musée,
a accueilli les premiers visiteurs à 10 h. « Nous avons tout refait. Le musée est méconnaissable », a-t-il dit.
Les salles du musée présentent désormais plus de 800 tableaux. Le café n'est pas encore ouvert. L'entrée du
musée reste gratuite jusqu'à la fin du mois."""

SPANISH = """\
El Sr. López abrió su panadería en la Av. Central hace veinte años. Cada mañana la panadería vende más de 500
panes a los vecinos del barrio. ¿Cuál es el secreto de la panadería? La receta del pan es de su abuela, y nunca
la ha cambiado. Ayer llovió mucho. Este año la panadería ganó un premio nacional por su pan de centeno."""

CHINESE = (
    "人工智能正在改变世界各地的医院。许多医院使用人工智能分析病人的影像，速度比医生快得多。专家说：“机器不会累。"
    "但是它需要好的数据。”昨天天气很好。医院的数据安全也是一个大问题！未来五年，人工智能在医院的应用将增长3.5倍。"
)
