// The library classes that models and rules name, by package. `import java.util.*` brings these names into
// scope.

/** Jakarta is the new package name of Java EE. Both are treated as `javax`. */
export const withoutJakarta = (name: string): string => name.replace(/^jakarta(?=\.)/, 'javax')

/** Undefined for an unknown class. */
export const classIn = (packageName: string, name: string): string | undefined =>
  LIBRARY.get(withoutJakarta(packageName))?.has(name) ? `${withoutJakarta(packageName)}.${name}` : undefined

/** Names visible without an import. */
export function builtins(): ReadonlyMap<string, string> {
  return new Map([...(LIBRARY.get('java.lang') ?? [])].map((name) => [name, `java.lang.${name}`]))
}

const words = (text: string): Set<string> => new Set(text.trim().split(/\s+/))

const LIBRARY: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    'java.lang': `Boolean Byte Character Class ClassLoader Double Enum Exception Float Integer Iterable Long Math Number Object
      Process ProcessBuilder Runtime RuntimeException Short String StringBuffer StringBuilder System Thread Throwable`,
    'java.util': `ArrayDeque ArrayList Arrays Base64 BitSet Collection Collections Date Deque Enumeration HashMap HashSet
      Hashtable Iterator LinkedHashMap LinkedHashSet LinkedList List ListIterator Locale Map Objects Optional PriorityQueue
      Properties Queue Random ResourceBundle Scanner Set SortedMap Stack StringJoiner StringTokenizer TreeMap TreeSet UUID
      Vector`,
    'java.util.stream': 'Collectors IntStream Stream',
    'java.util.regex': 'Matcher Pattern',
    'java.util.zip': 'ZipEntry ZipFile ZipInputStream',
    'java.util.jar': 'JarEntry JarFile',
    'java.io': `BufferedInputStream BufferedOutputStream BufferedReader BufferedWriter ByteArrayInputStream
      ByteArrayOutputStream DataInputStream File FileInputStream FileOutputStream FileReader FileWriter InputStream
      InputStreamReader ObjectInputStream ObjectOutputStream OutputStream OutputStreamWriter PrintStream PrintWriter
      RandomAccessFile Reader StringReader StringWriter Writer IOException`,
    'java.nio.file': 'FileSystem FileSystems Files Path Paths StandardOpenOption',
    'java.net': `HttpURLConnection InetAddress Socket URI URL URLConnection URLDecoder URLEncoder HttpCookie`,
    'java.net.http': 'HttpClient HttpRequest HttpResponse',
    'java.sql':
      'CallableStatement Connection DriverManager PreparedStatement ResultSet Statement SQLException',
    'java.security': `KeyStore MessageDigest SecureRandom Signature KeyPairGenerator`,
    'java.security.cert': 'X509Certificate CertificateException',
    'javax.crypto': 'Cipher KeyGenerator Mac SecretKey SecretKeyFactory',
    'javax.crypto.spec':
      'GCMParameterSpec IvParameterSpec PBEKeySpec PBEParameterSpec SecretKeySpec DESKeySpec',
    'javax.net.ssl':
      'HostnameVerifier HttpsURLConnection SSLContext SSLSession TrustManager X509TrustManager',
    'javax.naming': 'Context InitialContext NamingEnumeration',
    'javax.naming.directory': 'Attributes DirContext InitialDirContext SearchControls SearchResult',
    'javax.naming.ldap': 'InitialLdapContext LdapContext',
    'javax.xml.parsers': 'DocumentBuilder DocumentBuilderFactory SAXParser SAXParserFactory',
    'javax.xml.stream': 'XMLInputFactory XMLStreamReader',
    'javax.xml.transform': 'Transformer TransformerFactory',
    'javax.xml.validation': 'Schema SchemaFactory Validator',
    'javax.xml.xpath': 'XPath XPathConstants XPathExpression XPathFactory',
    'javax.script': 'ScriptEngine ScriptEngineManager',
    'javax.servlet':
      'ServletConfig ServletContext ServletException ServletRequest ServletResponse RequestDispatcher',
    'javax.servlet.http': `Cookie HttpServlet HttpServletRequest HttpServletRequestWrapper HttpServletResponse HttpSession
      Part`,
    'javax.servlet.annotation': 'MultipartConfig WebServlet',
    'javax.persistence': 'EntityManager Query TypedQuery PersistenceContext',
    'javax.ws.rs': `BeanParam CookieParam DELETE FormParam GET HeaderParam MatrixParam POST PUT Path PathParam Produces
      QueryParam`,
    'javax.ws.rs.core': 'Context Cookie HttpHeaders NewCookie Response UriInfo',
    'org.springframework.jdbc.core': 'JdbcOperations JdbcTemplate',
    'org.springframework.web.client': 'RestTemplate',
    'org.springframework.web.bind.annotation': `CookieValue DeleteMapping GetMapping ModelAttribute PatchMapping PathVariable
      PostMapping PutMapping RequestBody RequestHeader RequestMapping RequestParam ResponseBody RestController`,
    'org.springframework.web.multipart': 'MultipartFile',
    'org.springframework.web.servlet': 'ModelAndView',
    'org.springframework.http': 'HttpHeaders HttpStatus ResponseEntity',
    'org.springframework.expression.spel.standard': 'SpelExpressionParser',
    'org.springframework.expression': 'Expression ExpressionParser',
    'org.springframework.ldap.core': 'LdapTemplate',
    'org.hibernate': 'Session SessionFactory',
  }).map(([packageName, names]) => [packageName, words(names)]),
)
