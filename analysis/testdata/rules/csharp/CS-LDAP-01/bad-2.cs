using System.DirectoryServices;
using Microsoft.AspNetCore.Mvc;

namespace Shop.Api;

[ApiController]
[Route("api/orders")]
public class OrdersController : ControllerBase
{
  [HttpGet("{id}")]
  public async Task<IActionResult> Show()
  {
    var searcher = new DirectorySearcher();
    searcher.Filter = $"(&(objectClass=user)(cn={Request.Form["name"]}))"; // ← here
    return Ok(searcher.FindAll());
  }
}
