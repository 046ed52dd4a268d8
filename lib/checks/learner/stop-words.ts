/** Words without a meaning of their own, in the languages of most posts. They explain no decision. */
const STOP_WORDS = new Set(
  `a about after all also am an and any are as at be because been before being but by can could did do does don't down
  even for from get go going got had has have he her here him his how i i'm if in into is it it's its just know like made
  make many me more most much my new no not now of off on one only or other our out over own s same say see she should so
  some such t than that that's the their them then there these they this those through time to too two under until up us
  very was way we well were what when where which while who why will with would you your
  aber alle als am an auch auf aus bei bin bis da das dass dem den der des die doch du ein eine einem einen einer eines er
  es für hab habe haben hat ich ihr im in ist ja kann man mehr mein meine mit nach nicht noch nur oder schon sehr sein seine
  sich sie sind so um und uns unter vom von vor war was wenn werden wie wieder wir wird wo zu zum zur über
  au aux avec c'est ce ces cette comme d'un d'une dans de des du elle en est et il ils j'ai je la le les leur lui ma mais
  mes mon ne nous on ont ou où par pas plus pour qu'il que qui sa sans se ses son sont sur ta te tes ton tous tout très un
  une vos votre vous
  al como con cuando de del donde el ella en entre era es esta este esto está fue ha hay hoy la las le lo los más me mi muy
  no nos o para pero por porque que qué se ser si sin sobre su sus sí también te tiene todo todos tu un una uno y ya yo
  à ao aos as com da das de do dos e ela ele em essa esse esta este eu foi isso já mais mas me meu minha muito na nas no
  nos não o os ou para pela pelo por que quem se sem ser seu sua são também tem um uma você é
  alla anche che chi ci come con cosa da dal dei del della delle di e gli ha ho i il in io la le lo loro ma mi nel nella
  non o per perché più quando questa questo se si sono su sul tra un una è
  aan al als bij dan dat de deze die dit door een en er haar heb hebben heeft het hij hoe ik in is je kan maar me met mijn
  naar niet nog nu of om ook op te tot uit van veel voor waar was wat we wel wie wij worden zal ze zich zijn zo`.split(
    /\s+/,
  ),
);
/** Particles of Japanese. */
const PARTICLE = /^\p{Script=Hiragana}{1,2}$/u;

export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word.replaceAll("’", "'")) || PARTICLE.test(word);
}
