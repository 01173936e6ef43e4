import type { Example } from '../../example.fixture.ts'
import { plain, servlet } from './servlet.fixture.ts'

const factory =
  'javax.xml.parsers.DocumentBuilderFactory factory = javax.xml.parsers.DocumentBuilderFactory.newInstance();'

export const examples: readonly Example[] = [
  {
    rule: 'JV-XXE-01',
    bad: [
      `import javax.xml.parsers.*;
import java.io.InputStream;
public class Parse {
  public org.w3c.dom.Document parse(InputStream in) throws Exception {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    return factory.newDocumentBuilder().parse(in); // ← here
  }
}`,
      servlet(`
        ${factory}
        factory.newDocumentBuilder().parse(request.getInputStream()); // ← here`),
      servlet(`
        javax.xml.parsers.SAXParser parser = javax.xml.parsers.SAXParserFactory.newInstance().newSAXParser();
        parser.parse(new ByteArrayInputStream(request.getParameter("xml").getBytes()), null); // ← here`),
      servlet(`
        javax.xml.stream.XMLInputFactory factory = javax.xml.stream.XMLInputFactory.newInstance();
        factory.createXMLStreamReader(new StringReader(request.getParameter("xml"))); // ← here`),
    ],
    good: [
      `import javax.xml.parsers.*;
import java.io.InputStream;
public class Parse {
  public org.w3c.dom.Document parse(InputStream in) throws Exception {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
    return factory.newDocumentBuilder().parse(in);
  }
}`,
      servlet(`
        ${factory}
        factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
        factory.newDocumentBuilder().parse(request.getInputStream());`),
      servlet(`
        javax.xml.stream.XMLInputFactory factory = javax.xml.stream.XMLInputFactory.newInstance();
        factory.setProperty(javax.xml.stream.XMLInputFactory.SUPPORT_DTD, false);
        factory.createXMLStreamReader(request.getInputStream());`),
      plain(`
        public void load() throws Exception {
          ${factory}
          factory.newDocumentBuilder().parse(new File("settings.xml"));
        }`),
    ],
  },
  {
    rule: 'JV-DESER-01',
    bad: [
      servlet(`
        ObjectInputStream in = new ObjectInputStream(request.getInputStream());
        Object value = in.readObject(); // ← here`),
      servlet(`
        byte[] data = Base64.getDecoder().decode(request.getParameter("state"));
        new ObjectInputStream(new ByteArrayInputStream(data)).readObject(); // ← here`),
      servlet(`
        Object value = new com.thoughtworks.xstream.XStream().fromXML(request.getReader()); // ← here`),
    ],
    good: [
      servlet(`
        ObjectInputStream in = new ObjectInputStream(request.getInputStream());
        in.setObjectInputFilter(ObjectInputFilter.Config.createFilter("shop.Order;!*"));
        in.readObject();`),
      plain(`
        public Object load() throws Exception {
          return new ObjectInputStream(new FileInputStream("cache.bin")).readObject();
        }`),
      servlet(`
        shop.Order order = new com.google.gson.Gson().fromJson(request.getReader(), shop.Order.class);`),
    ],
  },
]
