import javax.xml.parsers.*;
import java.io.InputStream;
public class Parse {
  public org.w3c.dom.Document parse(InputStream in) throws Exception {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    return factory.newDocumentBuilder().parse(in); // ← here
  }
}
