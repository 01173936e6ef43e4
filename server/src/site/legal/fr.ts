import type { LegalTexts } from './en.ts'

export const frLegal: LegalTexts = {
  terms: {
    title: 'Conditions d’utilisation',
    description: 'L’accord entre vous et l’exploitant de cette installation de Cowrie.',
    lead: 'Voici l’accord entre vous et l’exploitant de ce service. Il est court pour que vous puissiez le lire.',
    sections: {
      service: {
        title: 'Le service',
        text: [
          'Cowrie modifie du code, répond à des questions, relit des pull requests et fait des recherches avec des modèles d’IA. Les modèles se trompent : relisez chaque modification avant de l’utiliser.',
          'Une modification n’est dite vérifiée que si vos tests échouaient ou manquaient avant et réussissent après.',
        ],
      },
      account: {
        title: 'Votre compte',
        text: [
          'Vous devez avoir 18 ans ou l’accord d’un tuteur, et donner une adresse e-mail réelle. Gardez pour vous mot de passe, clés et second facteur : les actions faites avec eux comptent comme les vôtres.',
          'Une organisation appartient à ses propriétaires. Ils décident des membres, des budgets et de la fermeture.',
        ],
      },
      charges: {
        title: 'Débits',
        text: [
          'Vous payez d’avance. Votre solde ne passe jamais sous zéro. Chaque action payante a un maximum avant de commencer, et vous ne payez jamais plus.',
          'Une demande répétée avec la même clé d’idempotence est débitée une fois. Si nous, notre infrastructure ou le fournisseur du modèle échouons, le montant réservé est libéré ou le débit est rendu dans le registre.',
          'Une tâche que vous arrêtez coûte ce qui a été utilisé jusque-là. Les prix peuvent changer pour un travail futur, jamais pour un travail commencé.',
        ],
      },
      payments: {
        title: 'Recharges, forfaits et remboursements',
        text: [
          'Une recharge est créditée quand le prestataire la confirme. Nous n’ajoutons aucun frais. Un forfait se renouvelle jusqu’à son annulation et fonctionne jusqu’à la fin de la période payée.',
          'Écrivez-nous pour le remboursement d’un solde inutilisé. Nous le rendons par le moyen de paiement d’origine, si le prestataire le permet et si la loi n’exige rien d’autre.',
        ],
      },
      content: {
        title: 'Votre code',
        text: [
          'Votre code, vos demandes et vos résultats restent à vous. Vous nous permettez de les traiter seulement pour vous fournir le service. Nous n’entraînons aucun modèle avec eux.',
          'N’envoyez que ce que vous avez le droit d’envoyer. Les fichiers et valeurs qui ressemblent à des secrets ne sont pas transmis aux modèles, sauf si vous l’autorisez.',
        ],
      },
      use: {
        title: 'Usage loyal',
        text: [
          'N’attaquez personne, n’écrivez pas de logiciel malveillant, ne contournez pas les limites, ne revendez pas l’accès sans accord et respectez la loi. Les limites de débit valent pour tous et sont publiées.',
          'Nous pouvons suspendre une organisation qui le fait, en disant pourquoi à ses propriétaires. La lecture, l’export et l’assistance restent possibles.',
        ],
      },
      liability: {
        title: 'Disponibilité et responsabilité',
        text: [
          'Nous visons un service toujours disponible et publions son état. Nous ne promettons pas qu’il ne tombe jamais en panne.',
          'Dans la mesure permise par la loi, notre responsabilité se limite à ce que vous avez payé dans les douze mois avant le dommage. Les droits des consommateurs restent entiers.',
        ],
      },
      end: {
        title: 'Fin',
        text: [
          'Vous pouvez exporter vos données et fermer votre organisation à tout moment. Nous pouvons mettre fin à l’accord avec 30 jours de préavis, ou aussitôt après un abus grave. Le solde inutilisé est rendu.',
          'Nous annonçons les changements par e-mail 30 jours avant leur application. La loi du pays de l’exploitant s’applique.',
        ],
      },
    },
  },
  privacy: {
    title: 'Confidentialité',
    description:
      'Les données que cette installation de Cowrie conserve, pourquoi, combien de temps et qui les reçoit.',
    lead: 'Nous conservons ce dont le service a besoin, et rien pour la publicité. Aucune page ne charge quoi que ce soit d’une autre entreprise.',
    sections: {
      data: {
        title: 'Ce que nous conservons',
        text: [
          'Compte : adresse e-mail, nom, empreinte du mot de passe, langue et pays, moyens de connexion, sessions avec appareil et adresse réseau.',
          'Contenu : tâches, discussions, recherches, relectures et fichiers envoyés, jusqu’à leur suppression ou la fermeture de l’organisation.',
          'Argent : paiements, numéros de téléphone pour l’argent mobile, écritures, factures et jeton d’une carte enregistrée. Les numéros de carte restent chez le prestataire.',
          'Exploitation : un journal des appels de modèles avec jetons et coût mais sans contenu, un journal d’audit et des journaux techniques sans contenu.',
        ],
      },
      purpose: {
        title: 'Pourquoi',
        text: [
          'Pour fournir le service (contrat), empêcher la fraude et les abus (intérêt légitime) et tenir les comptes (obligation légale). Rien n’est vendu, et rien ne sert à entraîner des modèles.',
        ],
      },
      recipients: {
        title: 'Qui reçoit des données',
        text: [
          'Le fournisseur du modèle choisi reçoit votre demande et les fichiers nécessaires. Les valeurs qui ressemblent à des secrets sont retenues. Une organisation peut exiger une région : seuls les modèles de cette région servent alors.',
          'Le prestataire de paiement reçoit le montant, la référence et, si besoin, votre téléphone ou e-mail. Le serveur de courrier reçoit les messages pour vous. GitHub reçoit ce que vous y publiez.',
          'Le personnel de l’exploitant voit comptes et paiements pour vous aider. Chaque modification qu’il fait est inscrite au journal d’audit.',
        ],
      },
      duration: {
        title: 'Combien de temps',
        text: [
          'Contenu : jusqu’à sa suppression. Journal des appels : 90 jours, sauf autre choix de l’exploitant. Sessions : 30 jours au plus. Registre, factures et audit : aussi longtemps que le droit fiscal l’exige.',
          'À la fermeture d’une organisation, son contenu est supprimé. Le registre et les factures restent, sans contenu.',
        ],
      },
      cookies: {
        title: 'Cookies',
        text: [
          'Après connexion : un cookie de session illisible par les scripts, un second sans secret qui signale une session, et un qui reconnaît l’appareil. Sur ces pages : votre choix de langue et de pays. Il n’y a ni autre cookie ni traceur.',
          'L’application garde brouillons et dernières réponses dans votre navigateur pour l’usage sans réseau. La déconnexion les supprime.',
        ],
      },
      rights: {
        title: 'Vos droits',
        text: [
          'Vous pouvez voir, corriger, exporter et supprimer vos données dans l’application : Réglages et Organisation. Pour le reste, écrivez-nous par la page de contact. Vous pouvez saisir l’autorité de protection des données de votre pays.',
        ],
      },
      place: {
        title: 'Où',
        text: [
          'Les données sont là où l’exploitant fait tourner le service. Une organisation peut avoir son contenu dans une base séparée. Les fournisseurs de modèles peuvent être dans d’autres pays ; l’exploitant les nomme sur demande.',
        ],
      },
    },
  },
  security: {
    title: 'Sécurité',
    description: 'Comment cette installation protège code, clés et argent, et comment signaler un problème.',
    lead: 'Comment nous protégeons code, clés et argent, et comment vous pouvez le vérifier.',
    sections: {
      report: {
        title: 'Signaler un problème',
        text: [
          'Écrivez-nous par la page de contact. Nous répondons sous trois jours ouvrés. Nous ne poursuivons pas une recherche de bonne foi qui ne nuit à aucun client et ne lit pas les données d’autrui.',
        ],
      },
      tenants: {
        title: 'Séparation des clients',
        text: [
          'La base de données elle-même sépare les organisations, ligne par ligne. Des tests appellent chaque point d’accès avec chaque type d’appelant, et la table des accès est publiée.',
        ],
      },
      signin: {
        title: 'Connexion et clés',
        text: [
          'Les mots de passe sont conservés sous forme d’empreintes Argon2. Clés d’accès, codes à usage unique et authentification unique sont disponibles. Les sessions finissent après 7 jours sans usage.',
          'Les clés d’API sont conservées sous forme d’empreintes. Une clé peut avoir un budget, des modèles, des débits et des adresses autorisées.',
        ],
      },
      code: {
        title: 'Votre code',
        text: [
          'Les tests tournent dans un bac à sable sans réseau. Les hooks Git et scripts d’un dépôt ne s’exécutent jamais pendant sa lecture. Les fichiers et valeurs qui ressemblent à des secrets ne vont pas aux modèles.',
          'Une tâche ne change rien d’elle-même sur votre machine ou sur GitHub : vous téléchargez la modification ou ouvrez la pull request.',
        ],
      },
      ledger: {
        title: 'Le registre se prouve',
        text: [
          'Chaque écriture contient l’empreinte de la précédente. GET /wallet/proof additionne toutes les écritures et vérifie la chaîne. Vous pouvez les télécharger et recalculer : GET /wallet/proof/movements.',
          'Chaque débit s’explique : jetons, prix, arrondi et barème. Le service le recalcule sous vos yeux.',
        ],
      },
      payments: {
        title: 'Paiements',
        text: [
          'Un webhook seul ne crédite rien : nous demandons l’état de chaque paiement au prestataire et créditons chaque référence une fois. Un paiement dont le montant, la monnaie ou la référence diffère est examiné par le personnel.',
        ],
      },
      quotes: {
        title: 'Devis',
        text: [
          'Un devis annonce le maximum avant le début d’une tâche. Le portefeuille réserve au plus ce montant, et la base de données limite un débit à sa réserve. Demandez-en un avec POST /tasks/{id}/quote.',
        ],
      },
      retries: {
        title: 'Reprises',
        text: [
          'Les demandes payantes portent une clé d’idempotence. La réponse est enregistrée avec le débit dans une transaction : une reprise après une coupure rend la même réponse sans nouveau coût.',
        ],
      },
      web: {
        title: 'Les pages web',
        text: [
          'Une politique stricte de sécurité n’admet que les scripts et styles de cette origine. Les pages ne chargent rien d’autres entreprises. Les textes sont échappés par construction.',
        ],
      },
    },
  },
}
