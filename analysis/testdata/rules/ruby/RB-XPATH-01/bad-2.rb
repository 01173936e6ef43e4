class ItemsController < ApplicationController
  def show
    @node = doc.at_xpath("//item[id=#{params[:id]}]") # ← here
  end
end
