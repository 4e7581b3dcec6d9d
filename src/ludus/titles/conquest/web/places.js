/**
 * Where pieces stand on the map, in its units: the army of whoever holds a province, a second one, galleys in
 * its
 * harbour; at sea the fleets.  Chosen so that names, sites and coasts stay readable (as far as islands
 * allow).
 */

/** @type {Record<string, {army: [number, number], foe: [number, number], dock: [number, number]}>} */
export const LAND = {
  britannia: { army: [204, 72], foe: [168, 128], dock: [174, 168] },
  belgica: { army: [337, 136], foe: [277, 192], dock: [343, 184] },
  germania: { army: [444, 206], foe: [536, 166], dock: [415, 75] },
  lugdunensis: { army: [202, 245], foe: [350, 269], dock: [201, 289] },
  aquitania: { army: [273, 316], foe: [217, 412], dock: [221, 352] },
  narbonensis: { army: [395, 357], foe: [299, 429], dock: [399, 438] },
  hispania: { army: [176, 472], foe: [184, 580], dock: [316, 508] },
  lusitania: { army: [95, 563], foe: [75, 667], dock: [47, 599] },
  baetica: { army: [118, 750], foe: [174, 642], dock: [219, 703] },
  baleares: { army: [285, 564], foe: [261, 620], dock: [351, 605] },
  corsica: { army: [498, 523], foe: [486, 431], dock: [518, 467] },
  sardinia: { army: [496, 649], foe: [440, 589], dock: [526, 593] },
  sicilia: { army: [657, 745], foe: [593, 685], dock: [703, 684] },
  italia: { army: [597, 442], foe: [485, 362], dock: [605, 386] },
  neapolis: { army: [740, 588], foe: [640, 524], dock: [731, 522] },
  raetia: { army: [472, 296], foe: [556, 224], dock: [556, 224] },
  noricum: { army: [655, 319], foe: [667, 207], dock: [667, 207] },
  pannonia: { army: [765, 257], foe: [805, 357], dock: [805, 357] },
  dalmatia: { army: [827, 470], foe: [703, 386], dock: [719, 424] },
  dacia: { army: [966, 360], foe: [1054, 312], dock: [1054, 312] },
  moesia: { army: [1086, 411], foe: [882, 391], dock: [1154, 382] },
  thracia: { army: [966, 494], foe: [1050, 563], dock: [1116, 476] },
  macedonia: { army: [905, 610], foe: [843, 533], dock: [954, 571] },
  achaia: { army: [920, 651], foe: [1008, 675], dock: [902, 717] },
  creta: { army: [948, 792], foe: [1096, 792], dock: [1017, 777] },
  asia: { army: [1143, 699], foe: [1143, 587], dock: [1073, 628] },
  pontus_bithynia: { army: [1371, 528], foe: [1227, 556], dock: [1278, 493] },
  galatia: { army: [1236, 700], foe: [1309, 593], dock: [1201, 737] },
  cappadocia: { army: [1425, 580], foe: [1349, 652], dock: [1439, 524] },
  cilicia: { army: [1342, 757], foe: [1415, 703], dock: [1341, 717] },
  cyprus: { army: [1219, 814], foe: [1355, 766], dock: [1318, 802] },
  armenia: { army: [1539, 546], foe: [1531, 650], dock: [1496, 492] },
  mesopotamia: { army: [1536, 813], foe: [1500, 705], dock: [1500, 705] },
  syria: { army: [1436, 864], foe: [1512, 900], dock: [1360, 819] },
  palaestina: { army: [1337, 988], foe: [1357, 888], dock: [1317, 932] },
  arabia: { army: [1432, 957], foe: [1336, 1045], dock: [1336, 1045] },
  aegyptus: { army: [1130, 1000], foe: [1089, 1044], dock: [1259, 955] },
  cyrenaica: { army: [916, 1034], foe: [1004, 1030], dock: [936, 899] },
  africa: { army: [568, 934], foe: [644, 1046], dock: [637, 892] },
  numidia: { army: [464, 840], foe: [448, 896], dock: [444, 714] },
  caesariensis: { army: [299, 865], foe: [339, 753], dock: [264, 744] },
  tingitana: { army: [122, 930], foe: [154, 814], dock: [89, 850] },
};

/** @type {Record<string, [number, number]>} */
export const SEA = {
  oceanus_britannicus: [323, 67],
  oceanus_atlanticus: [69, 233],
  mare_cantabricum: [71, 345],
  mare_hispalis: [71, 757],
  mare_balearicum: [291, 685],
  mare_narbo: [393, 495],
  mare_numidia: [395, 639],
  mare_tyrrhenum: [607, 575],
  mare_adriaticum: [798, 528],
  mare_epirus: [793, 677],
  mare_sabrata: [589, 853],
  mare_libycum: [769, 889],
  mare_aegaeum: [989, 725],
  mare_rhodus: [1127, 749],
  mare_alexandria: [1157, 907],
  mare_pelusium: [1265, 911],
  pontus_euxinus: [1217, 429],
  mare_amisus: [1385, 431],
};
