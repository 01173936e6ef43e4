
package shop;
import java.io.*;
import java.security.*;
import java.util.*;

public class Tool {
  public void load() throws Exception {
          javax.xml.parsers.DocumentBuilderFactory factory = javax.xml.parsers.DocumentBuilderFactory.newInstance();
          factory.newDocumentBuilder().parse(new File("settings.xml"));
        }
}
