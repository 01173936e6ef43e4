class ItemsController < ApplicationController
  def show
    filter = Net::LDAP::Filter.eq("uid", params[:login])
  end
end
