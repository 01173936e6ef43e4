// The errors of the catalogue in French, for the person who reads them in the app.
import type { ErrorCode } from '../../../kernel/errors.ts'

export const FR: Readonly<Record<ErrorCode, string>> = {
  access_denied: 'Cette demande a été refusée. Si c’était une erreur, recommencez.',
  org_address_not_allowed:
    'Cette organisation ne peut pas être utilisée depuis votre adresse. Utilisez un réseau autorisé, ou demandez à un administrateur d’ajouter votre adresse.',
  email_managed_by_sso:
    'Votre organisation gère cette adresse par l’authentification unique. Demandez à son administrateur de la changer.',
  email_taken: 'Un autre compte utilise désormais cette adresse. Utilisez une autre adresse.',
  would_lock_you_out:
    'La liste ne contient pas l’adresse de cet appel : vous ne pourriez plus la corriger d’ici. Ajoutez l’adresse, ou mettez allowLockOut.',
  address_not_allowed: 'Cette clé API ne peut pas être utilisée depuis cette adresse.',
  already_decided: 'C’est déjà décidé. Recommencez dans le programme, ou révoquez sa clé dans vos réglages.',
  already_member: 'Cette personne est déjà membre de l’organisation.',
  already_staff: 'Ce compte fait déjà partie du personnel. Changez plutôt son niveau.',
  answer_lost:
    'La connexion au service s’est rompue avant sa réponse. Réessayez : ce qui a été fait ne l’est pas deux fois.',
  approval_required:
    'Ce montant exige un second membre du personnel. Votre demande est enregistrée : un autre l’approuve sous Approbations dans les 24 heures.',
  authorization_pending: 'Personne n’a encore décidé de cette demande. Patientez un peu.',
  bad_request:
    'La demande n’a pas été comprise. Vérifiez son adresse, ses en-têtes et son contenu ; dans l’application, rechargez la page.',
  body_too_large: 'C’est trop volumineux. Envoyez-en moins à la fois.',
  base_unknown:
    'Le résultat de cet appel ne peut pas être reconstruit à partir du précédent, et rien n’a été enregistré. Envoyez-le en entier.',
  branch_exists:
    'Le dépôt a déjà cette branche, et ses commits ne viennent pas de cette tâche. Choisissez une autre branche.',
  branch_moved:
    'Un autre commit a été ajouté à la branche de cette pull request, et rien n’a été écrasé. Choisissez une autre branche, ou appliquez le correctif.',
  budget_too_low: 'Le maximum que vous autorisez ne couvre pas ce travail. Relevez-le.',
  built_in: 'Cet élément est intégré et suit les réglages.',
  busy: 'Le service est à sa limite en ce moment. Réessayez dans un instant.',
  card_challenged:
    'La banque attend votre accord avant de payer, et rien n’est débité d’ici là. Ouvrez sa page pour confirmer.',
  card_declined:
    'La banque a refusé la carte, et rien n’a été débité. Utilisez une autre carte ou adressez-vous à la banque.',
  challenge_ended:
    'Cette connexion a expiré ou a pris fin. Recommencez avec votre mot de passe ou un lien de connexion.',
  change_in_progress:
    'Un changement de cet abonnement est en cours de paiement. Attendez qu’il soit tranché, puis regardez à nouveau.',
  channel_not_available: 'Ce moyen de paiement n’accepte pas votre monnaie. Choisissez-en un autre.',
  code_not_expected: 'Ce paiement n’attend pas de code. Vérifiez où il en est.',
  connection_exists: 'Cette organisation a déjà une authentification unique. Modifiez ou supprimez celle-là.',
  cross_origin:
    'Cet appel venait d’un autre site et a été refusé. Utilisez l’application elle-même ou une clé API.',
  database_unavailable: 'La base de données est injoignable pour le moment. Réessayez dans un instant.',
  dispute_answer_refused: 'Le prestataire n’a pas accepté cette réponse ; rien n’a changé. Corrigez-la.',
  domain_refused: 'Ce domaine ne peut pas appartenir à une seule organisation. Indiquez un domaine à vous.',
  domain_taken: 'Une autre organisation a vérifié ce domaine. Elle doit d’abord le retirer.',
  endpoint_disabled: 'Cet endpoint de webhook est désactivé. Activez-le d’abord.',
  expired: 'Cette demande a expiré ou a déjà servi. Recommencez.',
  files_changed:
    'Les fichiers ont changé depuis que vous les avez lus, et rien n’a été fait. Relisez les modifications.',
  forbidden:
    'Votre compte n’a pas ce droit. Adressez-vous à un propriétaire ou à un administrateur de votre organisation.',
  forge_unavailable: 'L’hébergeur de code ne répond pas pour le moment. Réessayez dans un instant.',
  github_unavailable: 'GitHub ne répond pas pour le moment. Réessayez dans un instant.',
  handler_timeout:
    'Cela a duré plus de 30 secondes et a été abandonné. Réessayez ; rien n’est fait deux fois.',
  headers_too_large:
    'Les en-têtes de la demande dépassent 16 Kio. Envoyez-en moins ; dans un navigateur, effacez les cookies de ce site.',
  idempotency_in_progress:
    'Le premier envoi de cette demande est encore en cours. Réessayez dans un instant ; rien n’est fait deux fois.',
  idempotency_key_invalid: 'L’en-tête Idempotency-Key doit avoir de 1 à 255 caractères ASCII visibles.',
  idempotency_key_required:
    'Il manque l’en-tête Idempotency-Key. Envoyez-en un de 1 à 255 caractères ASCII visibles, nouveau pour chaque opération et identique à chaque nouvel essai.',
  idempotency_key_reused:
    'Cette Idempotency-Key a déjà servi avec un autre contenu. Envoyez une nouvelle clé pour une nouvelle opération.',
  inference_not_configured: 'Aucun modèle n’est configuré ici. Adressez-vous à l’opérateur du service.',
  installation_claimed:
    'Une autre organisation utilise cette installation. Demandez à ses propriétaires de la libérer.',
  installation_suspended:
    'Cette installation est suspendue sur GitHub. Réactivez-la là-bas, puis reliez-la à nouveau.',
  installation_unavailable:
    'L’application GitHub n’a plus accès à ce dépôt. Réinstallez-la, ou donnez-lui accès au dépôt.',
  installation_unproven:
    'Prouvez que cette installation est à vous : mettez .github/cowrie.json avec l’identifiant de votre organisation sur une branche par défaut.',
  insufficient_funds:
    'Le portefeuille ne couvre pas ce travail. Rechargez au moins ce qui manque, ou demandez moins.',
  insufficient_scope: 'Cette clé API n’a pas ce droit. Créez une clé qui l’a.',
  internal:
    'Une erreur inattendue s’est produite de notre côté. Réessayez, et donnez-nous la référence si cela persiste.',
  invalid_connection: 'L’authentification unique ne peut pas marcher ainsi. Corrigez les réponses signalées.',
  invalid_fields: 'Certaines réponses manquent ou sont fausses. Corrigez celles qui sont signalées.',
  invalid_setting: 'Ce réglage n’accepte pas cette valeur.',
  invalid_signature: 'La signature de cette notification ne correspond pas à son contenu.',
  invitation_pending:
    'Cette personne n’a pas encore accepté l’invitation. Renvoyez-la, ou attendez sa réponse.',
  invite_invalid:
    'Cette invitation est fausse, a expiré, a déjà servi ou a été retirée. Demandez-en une nouvelle.',
  invoice_not_open: 'Cette facture n’est pas à payer. Regardez son état.',
  is_client_workspace: 'Les fichiers de cette tâche sont sur votre machine. Restaurez-les là.',
  isolation_one_way:
    'Un contenu qui a sa propre place ne revient pas en arrière. Choisissez la même isolation ou une plus forte.',
  isolation_unavailable:
    'La place pour ce contenu ne peut pas être préparée pour le moment, et rien n’a changé. Réessayez plus tard.',
  key_budget_exceeded:
    'Le budget de cette clé API est épuisé. Augmentez-le ou attendez la prochaine période.',
  key_rate_limited: 'Cette clé API a atteint sa limite par minute. Réessayez dans un instant.',
  kyc_not_pending: 'Rien de cette organisation n’attend d’examen.',
  kyc_required:
    'Les travaux payants demandent une entreprise vérifiée. Envoyez vos informations sous Vérification et attendez l’examen.',
  kyc_verified: 'Cette organisation est déjà vérifiée ; il n’y a rien à envoyer.',
  last_operator: 'La plateforme garde au moins une personne dans le personnel. Ajoutez-en d’abord une autre.',
  last_owner: 'Une organisation garde au moins un propriétaire. Nommez d’abord un autre membre propriétaire.',
  last_super_admin: 'La plateforme garde au moins un super-administrateur. Nommez-en d’abord un autre.',
  limit_reached: 'Vous en avez autant que permis. Retirez-en d’abord un.',
  link_invalid: 'Ce lien est faux, a expiré ou a déjà servi. Demandez-en un nouveau.',
  maintenance: 'Le service est en maintenance. Les travaux payants et les modifications reprennent bientôt.',
  malformed_json: 'Le contenu n’est pas du JSON valable. Envoyez du JSON correct, encodé en UTF-8.',
  member_cap_reached:
    'Votre plafond mensuel ne couvre pas ce travail. Demandez à un propriétaire ou à un administrateur de le relever.',
  method_not_allowed: 'Cette adresse existe, mais n’accepte pas cette méthode.',
  mfa_already_enabled:
    'La connexion en deux étapes est déjà activée. Désactivez-la avant de la configurer à nouveau.',
  mfa_not_enabled: 'La connexion en deux étapes n’est pas activée. Configurez-la d’abord.',
  misdirected_request:
    'Cette adresse n’est pas servie ici. Utilisez localhost ou l’adresse publique du service.',
  model_not_allowed: 'Ce modèle n’est pas autorisé pour cette clé ou cette organisation.',
  model_not_found: 'Ce modèle n’existe pas ici. Choisissez-en un autre.',
  name_taken: 'Ce nom est déjà pris. Choisissez-en un autre.',
  no_changes: 'Il n’y a aucun nouveau changement à publier. Demandez d’abord un changement.',
  no_payment_method: 'Il n’y a pas de carte à débiter. Ajoutez-en une, ou choisissez un forfait.',
  no_subscription: 'Il n’y a pas d’abonnement actif. Choisissez d’abord un forfait.',
  not_client_workspace:
    'Les outils de cette tâche tournent sur le serveur. Seuls les espaces locaux reçoivent des outils et des résultats.',
  not_configured: 'Ce qu’il faut pour cela n’est pas configuré ici. Adressez-vous à l’opérateur du service.',
  not_found: 'Il n’y a rien ici, ou ce n’est pas à vous.',
  not_repository_workspace: 'Cette tâche ne porte pas sur un dépôt. Téléchargez plutôt son correctif.',
  org_not_closable: 'Cette organisation ne peut pas encore être fermée. Voyez ce qu’il faut faire d’abord.',
  org_suspended:
    'Cette organisation est suspendue et ne peut pas lancer de travaux payants. Contactez le support.',
  outcome_unknown:
    'La connexion a été coupée au moment d’enregistrer. Réessayez pour connaître le résultat ; rien n’est fait deux fois.',
  passkey_invalid: 'Cette clé d’accès n’a pas pu être ajoutée. Recommencez sa création.',
  passkey_refused: 'Cette clé d’accès n’a pas été acceptée. Réessayez, ou connectez-vous autrement.',
  password_required: 'Il n’y a pas encore de compte pour cette adresse. Choisissez son mot de passe.',
  payment_code_refused: 'Votre opérateur n’a pas accepté ce code. Demandez-lui-en un autre et saisissez-le.',
  payment_not_in_review: 'Ce paiement n’est pas en vérification.',
  payment_not_settled:
    'Un remboursement s’appuie sur un paiement encaissé de l’organisation ; cette référence n’en est pas un.',
  payment_refused: 'Le prestataire a refusé ce paiement ; rien n’a été payé. Payez autrement.',
  payments_not_configured:
    'Ce moyen de paiement n’est pas proposé ici. Choisissez-en un autre, ou adressez-vous à l’opérateur du service.',
  permission_missing:
    'Il manque des autorisations à l’application GitHub. Accordez-les dans les réglages de l’installation sur GitHub. Le correctif reste téléchargeable.',
  plan_not_found: 'Ce forfait n’existe pas. Choisissez-en un de la liste.',
  previous_response_not_found:
    'La réponse précédente n’existe pas. Envoyez `store: true` avec une réponse à poursuivre, ou toute la conversation.',
  price_changed:
    'C’est maintenant plus cher que ce qui vous a été annoncé, et rien n’a été débité. Regardez à nouveau le prix.',
  project_editor_only:
    'Vous ne pouvez pas modifier ce projet. Adressez-vous à qui peut le modifier, ou à un propriétaire ou un administrateur.',
  prompt_too_long:
    'C’est plus que le modèle ne peut lire d’un coup. Envoyez moins de texte ou moins de fichiers.',
  provider_in_use: 'Des modèles ont une route vers ce fournisseur. Retirez d’abord ces routes.',
  pull_request_closed:
    'La pull request de cette tâche est fermée ou fusionnée. Choisissez une autre branche pour en ouvrir une nouvelle.',
  push_refused:
    'GitHub a refusé cette branche ou cette pull request. Vérifiez les règles et les branches du dépôt.',
  rail_unavailable:
    'Le prestataire de paiement ne répond pas pour le moment. Réessayez : cela poursuit le même paiement, vous ne payez pas deux fois.',
  rate_limited: 'Trop de demandes depuis votre adresse. Attendez un peu.',
  reauth_required:
    'Reconnectez-vous avant de changer la protection de votre compte ; votre session a plus de 15 minutes.',
  ref_not_found: 'Le dépôt n’a pas cette branche, cette étiquette ni ce commit. Vérifiez le nom.',
  refund_exceeds_balance:
    'C’est plus que le solde disponible du portefeuille. Remboursez un montant plus petit.',
  refund_exceeds_captured:
    'C’est plus que ce qui reste du paiement après les remboursements déjà faits. Remboursez un montant plus petit.',
  refund_in_progress:
    'Le prestataire n’a pas encore décidé d’un remboursement précédent. Attendez son résultat.',
  refund_not_supported:
    'Ce paiement ne peut pas être remboursé au payeur ici. Versez l’argent à la main, puis notez-le.',
  repository_not_found:
    'L’installation ne comprend pas ce dépôt. Vérifiez son nom, ou ajoutez-le à l’installation sur GitHub.',
  repository_too_large:
    'Ce dépôt est plus grand que ce qu’un espace de travail peut contenir. Utilisez un dépôt plus petit.',
  request_timeout: 'La demande a mis trop de temps à arriver. Renvoyez-la avec une meilleure connexion.',
  research_finished: 'Cette recherche est déjà terminée ; il n’y a rien à annuler.',
  research_not_waiting:
    'Cette recherche n’attend pas cela pour le moment. Son champ « needs » indique ce qu’elle attend.',
  research_running:
    'Cette recherche n’est pas terminée. Annulez-la d’abord et attendez la fin de l’étape en cours.',
  research_unavailable: 'La recherche n’est pas disponible ici pour le moment. Réessayez plus tard.',
  residency_blocked:
    'Votre organisation garde son code dans une région, et aucun modèle n’y est disponible. Adressez-vous à l’opérateur du service.',
  restarting: 'Le service redémarre. Reconnectez-vous.',
  retrieval_not_vector: 'Ce service ne tient pas d’index du code.',
  root_admin: 'C’est l’administrateur racine ; il est nommé dans la configuration et ne change que là.',
  run_finished: 'Cette exécution est déjà terminée ; il n’y a rien à arrêter.',
  sandbox_unavailable: 'Ce bac à sable ne peut pas être utilisé ici. Choisissez-en un de `sandboxes`.',
  seats_below_occupied: 'Plus de membres que cela ont une place. Retirez-en d’abord.',
  seats_exceeded:
    'Toutes les places de cette organisation sont prises. Retirez un membre ou achetez des places.',
  seats_not_sold: 'Ce forfait a un nombre fixe de places. Passez à Team ou Enterprise pour en avoir plus.',
  second_factor_required:
    'L’accès du personnel exige un second facteur. Confirmez-le, ou configurez d’abord une application d’authentification ou une clé d’accès.',
  session_required: 'Seule une personne connectée peut le faire, pas une clé API.',
  signups_disabled: 'L’ouverture de comptes est fermée pour le moment. Demandez une invitation.',
  slow_down: 'Vous demandez trop souvent. Attendez un peu entre deux essais.',
  sso_failed: 'La connexion avec votre fournisseur d’identité a échoué. Recommencez.',
  sso_required: 'Cette organisation exige l’authentification unique. Connectez-vous par ce moyen.',
  sso_unreachable: 'Votre fournisseur d’identité ne répond pas pour le moment. Réessayez dans un instant.',
  staff_only: 'Seul le personnel de la plateforme, au bon niveau, peut le faire.',
  step_up_required:
    'Confirmez que c’est bien vous avec un code ou une clé d’accès, puis renvoyez la demande.',
  storage_unavailable: 'Le stockage des fichiers est injoignable pour le moment. Réessayez dans un instant.',
  stream_expired: 'Le flux a atteint sa durée maximale. Rouvrez-le.',
  subscription_exists: 'Il y a déjà un abonnement. Changez plutôt de forfait.',
  subscription_past_due: 'Le dernier renouvellement de cet abonnement est impayé. Réglez d’abord sa facture.',
  thread_busy: 'Une réponse est encore en cours dans cette conversation. Attendez-la ou arrêtez-la.',
  too_many_attempts: 'Trop d’essais. Attendez un peu avant de réessayer.',
  too_many_loops:
    'Votre organisation a autant d’exécutions en cours que son forfait le permet. Attendez que l’une se termine.',
  too_many_open_turns:
    'Votre organisation a trop de tours en cours. Attendez qu’un tour se termine, ou arrêtez-en un.',
  too_many_research_runs:
    'Votre organisation a autant de recherches en cours que son forfait le permet. Attendez que l’une se termine.',
  too_many_streams:
    'Vous avez trop de travaux ouverts à la fois. Fermez-en un, ou attendez que l’un se termine.',
  too_many_tasks: 'Votre organisation a atteint son nombre maximal de tâches. Supprimez-en d’abord.',
  too_many_turns: 'Cette tâche a atteint son nombre maximal de tours. Créez une nouvelle tâche.',
  transaction_used: 'La transaction du prestataire a déjà réglé un autre paiement. Rejetez celui-ci.',
  turn_running: 'Cette tâche travaille encore. Attendez la fin du tour, ou arrêtez-le.',
  unauthenticated: 'Connectez-vous, ou envoyez une clé API valable.',
  unknown_role:
    'Ce niveau n’existe pas. Choisissez support, facturation, conformité, opérateur ou super-administrateur.',
  unknown_setting: 'Ce réglage n’existe pas.',
  unlisted_address:
    'Les notifications de cette adresse ne sont pas acceptées. Demandez à l’opérateur de l’ajouter à la liste.',
  unsupported_media_type: 'Envoyez le contenu avec l’en-tête Content-Type: application/json, en UTF-8.',
  unverified_account: 'Ce compte n’a pas confirmé son adresse e-mail. Envoyez plutôt une invitation.',
  upstream_failed:
    'Le modèle n’a pas donné de réponse utilisable ; rien n’a été débité. Réessayez, ou demandez autrement.',
  upstream_refused:
    'Le service ne peut pas joindre son modèle pour le moment ; rien n’a été débité. Ses opérateurs ont été prévenus.',
  upstream_unavailable:
    'Le modèle ne répond pas pour le moment ; rien n’a été débité. Réessayez dans un instant.',
  uri_too_long: 'L’adresse est trop longue. Raccourcissez votre demande.',
  validation_not_enabled:
    'L’exécution des tests des pull requests n’est pas activée ici. Adressez-vous à l’opérateur du service.',
  verification_required:
    'Confirmez d’abord votre adresse e-mail, avec le lien que nous vous avons envoyé, ou demandez-en un nouveau.',
  version_changed: 'Cette ressource a changé depuis votre lecture, et rien n’a été fait. Relisez-la.',
  wallet_full: 'Ce crédit dépasserait le maximum qu’un portefeuille peut contenir.',
  weak_password: 'Ce mot de passe est trop facile à deviner. Choisissez-en un plus long ou moins courant.',
  work_ended:
    'Un autre processus a terminé ce travail. Réessayez pour connaître le résultat ; rien n’est fait deux fois.',
  wrong_code: 'Ce code est faux, trop ancien ou a déjà servi. Saisissez celui qui s’affiche maintenant.',
  wrong_credentials:
    'L’adresse e-mail ou le mot de passe est faux. Vérifiez les deux, ou demandez un lien de connexion.',
  wrong_secret: 'Le secret machine de cet appel manque ou est faux.',
}
